// Files of <doc> elements, as WikiExtractor writes them, read as the reference's formatting reads
// them (docs/formats/extracted.md).
// An article that is not UTF-8, or has no end, is a bad record.
#pragma once

#include "source/input/record_source.h"

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

OpenText wikiextractor_reader(const CorpusReading& reading);

// In folders, reads only the files wiki_*, if there are any: others were not made by the extractor.
bool is_extracted_file(const std::filesystem::path& file);
void keep_extracted_files(std::vector<Input>& inputs);

}  // namespace bertprep
