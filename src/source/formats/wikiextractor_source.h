// WikiextractorSource: files of <doc> elements, as WikiExtractor writes them, read as the reference's formatting reads
// them (docs/formats/extracted.md).
//
// It goes by lines that contain "<doc id=" and "</doc>", wherever these stand; the first line of an article is its
// title, and is left out. An article that is not UTF-8, or has no end, is a bad record.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bertprep/source/document_source.h"
#include "source/input/article_limit.h"
#include "source/input/input_list.h"
#include "source/input/input_texts.h"
#include "stream/line_reader.h"

namespace bertprep {

// DocLines: <doc> elements -> the lines of articles, as the reference's formatting sees them.
//
// It goes by lines that contain "<doc id=" and "</doc>", wherever these stand. Hence text with such words in it gives
// several articles, or loses lines; that is followed.
class DocLines {
 public:
  // Takes a line with its LF. True: an article has ended, its lines but the first (the title) are in text().
  bool take(std::string_view line);

  std::string& text() { return text_; }
  bool is_head() const { return is_head_; }  // the line that has just been taken begins an article
  bool is_open() const { return is_open_; }  // an article has begun and not ended

 private:
  bool is_open_ = false;
  bool is_head_ = false;
  bool has_title_ = false;
  bool is_finished_ = false;
  std::string text_;
};

class WikiextractorSource final : public DocumentSource {
 public:
  // `rejects` must outlive the object.
  WikiextractorSource(TextInput input, Rejects& rejects, const ArticleLimit& limit = {});

  bool next(Document& document) override;

 private:
  void count_line();
  void take_head(std::string_view line);
  bool take_article(Document& document);
  std::string place() const;

  LineReader lines_;
  Rejects& rejects_;
  ArticleLimit limit_;
  std::uint64_t doc_bytes_ = 0;  // of the article, whether kept or not
  DocLines doc_;
  std::string line_;
  Document head_;  // what the <doc> line says
};

// Of folders, files called wiki_* are read, if there are any: what else lies there is not of the extractor's making.
void keep_extracted_files(std::vector<Input>& inputs);

}  // namespace bertprep
