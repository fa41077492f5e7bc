// Books: each text is one article, whose title is the name of the file without its extension.
#pragma once

#include "source/encoding/converter.h"
#include "source/input/record_source.h"

namespace bertprep {

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

// Throws ConfigError for an unknown encoding. A book that can't be decoded or has no text is rejected.
OpenText books_reader(const SourceOptions& options, const CorpusReading& reading);

}  // namespace bertprep
