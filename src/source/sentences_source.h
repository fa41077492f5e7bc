// SentencesSource: a text shard, one sentence per line and a blank line after each article
// (docs/formats/text-shard.md).
#pragma once

#include <string_view>
#include <utility>

#include "bertprep/source/document_source.h"
#include "source/article_limit.h"
#include "source/text_line_reader.h"

namespace bertprep {

class SentencesSource final : public DocumentSource {
 public:
  explicit SentencesSource(TextInput input, const ArticleLimit& limit = {})
      : lines_(std::move(input), limit.bytes()), limit_(limit) {}

  bool next(Document& document) override;

 private:
  bool next_line(std::string_view& line);

  TextLineReader lines_;
  ArticleLimit limit_;
  std::string_view rest_;  // what follows a CR within the line last read
  bool has_rest_ = false;
};

}  // namespace bertprep
