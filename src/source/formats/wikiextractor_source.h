// WikiextractorSource: files of <doc> elements, as WikiExtractor writes them, read as the reference's formatting reads
// them (docs/formats/extracted.md).
//
// It looks for lines that contain "<doc id=" and "</doc>", anywhere in the line; the first line of an article is its
// title, and is left out. An article that is not UTF-8, or has no end, is a bad record.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "source/input/article_limit.h"
#include "source/input/deferred_work.h"
#include "source/input/input_list.h"
#include "source/input/input_texts.h"
#include "stream/line_reader.h"

namespace bertprep {

// DocLines: <doc> elements -> the lines of articles, as the reference's formatting sees them.
//
// It looks for lines that contain "<doc id=" and "</doc>", anywhere in the line. Like the reference, it therefore
// splits articles whose text contains such words, or loses lines of them.
class DocLines {
 public:
  // Takes a line with its LF. True if an article has ended: its lines except the first (the title) are in text().
  bool take(std::string_view line);

  std::string& text() { return text_; }
  bool is_head() const { return is_head_; }  // the last line begins an article
  bool is_open() const { return is_open_; }  // an article has begun and not ended

 private:
  bool is_open_ = false;
  bool is_head_ = false;
  bool has_title_ = false;
  bool is_finished_ = false;
  std::string text_;
};

class WikiextractorSource final : public DeferredSource {
 public:
  // `rejects` must outlive the object.
  WikiextractorSource(TextInput input, Rejects& rejects, const ArticleLimit& limit = {});

  bool read(SourceDocument& document) override;

 private:
  void count_line();
  void take_head(std::string_view line);
  bool take_article(SourceDocument& document);
  std::string place() const;

  LineReader lines_;
  Rejects& rejects_;
  ArticleLimit limit_;
  std::uint64_t doc_bytes_ = 0;  // of the article, kept or not
  DocLines doc_;
  std::string line_;
  Document head_;  // the content of the <doc> line
};

// In folders, reads only the files wiki_*, if there are any: others were not made by the extractor.
bool is_extracted_file(const std::filesystem::path& file);
void keep_extracted_files(std::vector<Input>& inputs);

}  // namespace bertprep
