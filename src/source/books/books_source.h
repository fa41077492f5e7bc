// BooksSource: each text is one book. DeferredBooks: its bytes -> its text.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "bertprep/source/document_source.h"
#include "source/encoding/converter.h"
#include "source/input/article_limit.h"
#include "source/input/deferred_work.h"
#include "source/input/input_texts.h"

namespace bertprep {

// Whether decoded bytes are text.

// Why UTF-8 is not text: more than one character in a hundred is a control character that texts don't have. In
// pictures, programs and compressed data, about ten are, in whatever encoding.
std::optional<std::string> why_no_text(std::string_view text);

// Line ends of different systems.

// CR LF and CR become LF.
void end_lines_at_feeds(std::string& text);

// BookDecoder: the bytes of a book, in a given or guessed encoding -> UTF-8.
class BookDecoder {
 public:
  // "auto" guesses (guess.h), book by book. Throws ConfigError for an unknown name.
  explicit BookDecoder(std::string encoding);

  // Overwrites `text`, without byte order mark; or says why the bytes can't be decoded. `note` reports a guess, and
  // bytes at the end that were dropped because they are an incomplete character.
  std::optional<std::string> decode(std::string_view bytes, std::string& text, std::string& note);

 private:
  std::optional<std::string> decode_as(const std::string& encoding, std::string_view bytes, std::string& text,
                                       std::string& note);
  Decoder& decoder_of(const std::string& encoding);

  std::string encoding_;
  std::map<std::string, Decoder> decoders_;
};

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

class BooksSource final : public DeferredSource {
 public:
  // The document is the bytes of the book; `deferred` (deferred_work.h) decodes it. Its title is the name of the file
  // without its extension.
  BooksSource(TextInput input, std::shared_ptr<const DeferredWork> deferred, const ArticleLimit& limit = {});

  bool read(SourceDocument& document) override;

 private:
  TextInput input_;
  std::shared_ptr<const DeferredWork> deferred_;
  ArticleLimit limit_;
};

}  // namespace bertprep
