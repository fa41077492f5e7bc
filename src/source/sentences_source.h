// SentencesSource: a text shard, one sentence per line and a blank line after each article
// (docs/formats/text-shard.md).
#pragma once

#include <filesystem>
#include <string_view>

#include "bertprep/source/document_source.h"
#include "source/text_line_reader.h"

namespace bertprep {

class SentencesSource final : public DocumentSource {
 public:
  explicit SentencesSource(const std::filesystem::path& path) : lines_(path) {}

  bool next(Document& document) override;

 private:
  bool next_line(std::string_view& line);

  TextLineReader lines_;
  std::string_view rest_;  // what follows a CR within the line last read
  bool has_rest_ = false;
};

}  // namespace bertprep
