// BooksFinisher: the bytes of a book -> its text.
#pragma once

#include <memory>
#include <string>

#include "bertprep/source/document_source.h"
#include "source/document_finisher.h"

namespace bertprep {

struct BookOptions {
  std::string encoding;  // "auto", or as SourceOptions::encoding
  bool is_reference;     // as the reference formats BookCorpus: UTF-8, nothing cut, lines as they are
  bool keep_gutenberg;   // nothing cut
};

// Finishes documents whose text is the bytes of a book. Throws ConfigError for an unknown encoding. A book that can't
// be decoded or holds no text is rejected under origin.source.
std::shared_ptr<const DocumentFinisher> make_books_finisher(const BookOptions& options);

}  // namespace bertprep
