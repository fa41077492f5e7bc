// ArticlesSource: a formatted file, one article per line (docs/formats/articles.md).
#pragma once

#include <utility>

#include "bertprep/source/document_source.h"
#include "source/text_line_reader.h"

namespace bertprep {

class ArticlesSource final : public DocumentSource {
 public:
  explicit ArticlesSource(TextInput input) : lines_(std::move(input)) {}

  bool next(Document& document) override;

 private:
  TextLineReader lines_;
};

}  // namespace bertprep
