// BookDecoder: the bytes of a book, in a given or guessed encoding -> UTF-8.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "source/encoding/converter.h"

namespace bertprep {

// Whether decoded bytes are text.

// Why UTF-8 is not text: more than one character in a hundred is a control character that texts don't have. In
// pictures, programs and compressed data, about ten are, in whatever encoding.
std::optional<std::string> why_no_text(std::string_view text);

// Line ends of different systems.

// CR LF and CR become LF.
void end_lines_at_feeds(std::string& text);

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

}  // namespace bertprep
