// BooksSource: each text is one book. DeferredBooks: its bytes -> its text.
#pragma once

#include <memory>
#include <string>

#include "bertprep/source/document_source.h"
#include "source/input/article_limit.h"
#include "source/input/deferred_work.h"
#include "source/input/input_texts.h"

namespace bertprep {

// DeferredBooks: the bytes of a book -> its text.
struct BookOptions {
  std::string encoding;  // "auto", or as SourceOptions::encoding
  bool is_reference;     // as the reference formats BookCorpus: UTF-8, nothing removed, lines unchanged
  bool keep_gutenberg;   // nothing removed
  bool as_is = false;    // lines unchanged, with their ends
};

// Finishes documents whose text is the bytes of a book. Throws ConfigError for an unknown encoding. A book that can't
// be decoded or has no text is rejected under origin.source.
std::shared_ptr<const DeferredWork> make_deferred_books(const BookOptions& options);

class BooksSource final : public DocumentSource {
 public:
  // The document is the bytes of the book; `deferred` (deferred_work.h) decodes it. Its title is the name of the file
  // without its extension.
  BooksSource(TextInput input, std::shared_ptr<const DeferredWork> deferred, const ArticleLimit& limit = {});

  bool next(Document& document) override;

 private:
  TextInput input_;
  std::shared_ptr<const DeferredWork> deferred_;
  ArticleLimit limit_;
};

}  // namespace bertprep
