// BooksSource: a text that is one book.
#pragma once

#include <memory>

#include "bertprep/source/document_source.h"
#include "source/article_limit.h"
#include "source/document_finisher.h"
#include "source/text_input.h"

namespace bertprep {

class BooksSource final : public DocumentSource {
 public:
  // The document is the bytes of the book, which `finisher` (books_finisher.h) has to decode. Its title is the name of
  // the file without its ending.
  BooksSource(TextInput input, std::shared_ptr<const DocumentFinisher> finisher, const ArticleLimit& limit = {});

  bool next(Document& document) override;

 private:
  TextInput input_;
  std::shared_ptr<const DocumentFinisher> finisher_;
  ArticleLimit limit_;
};

}  // namespace bertprep
