// ArticlesSource: a formatted file, one article per line (docs/formats/articles.md).
#pragma once

#include <utility>

#include "bertprep/source/document_source.h"
#include "source/article_limit.h"
#include "source/text_line_reader.h"

namespace bertprep {

class ArticlesSource final : public DocumentSource {
 public:
  explicit ArticlesSource(TextInput input, const ArticleLimit& limit = {})
      : lines_(std::move(input), limit.bytes()), limit_(limit) {}

  bool next(Document& document) override;

 private:
  TextLineReader lines_;
  ArticleLimit limit_;
};

}  // namespace bertprep
