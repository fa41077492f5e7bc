#include "source/books/book_decoder.h"

#include <cstddef>
#include <utility>

#include "base/number_text.h"
#include "source/encoding/guess.h"
#include "unicode/code_points.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

constexpr std::size_t kCharactersToAControl = 100;

// Texts contain white space, DOS's end of file, and terminal escapes.
bool is_odd_control(unsigned char c) {
  const bool is_usual = (c >= '\t' && c <= '\r') || c == 0x1A || c == 0x1B;
  return (c < ' ' && !is_usual) || c == 0x7F;
}

constexpr const char* kAuto = "auto";

std::string truncation_note(std::size_t bytes) {
  return "it ends within a character: its last " + counted(bytes, "byte", "is", "are") + " left out";
}

void add_note(const std::string& more, std::string& note) {
  if (!note.empty()) note += "; ";
  note += more;
}

}  // namespace

std::optional<std::string> why_no_text(std::string_view text) {
  std::size_t characters = 0;
  std::size_t controls = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if ((c & 0xC0U) != 0x80) ++characters;
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0U;
    const bool is_c1 = c == 0xC2 && next >= 0x80 && next < 0xA0 && next != 0x85;
    if (is_c1 || is_odd_control(c)) ++controls;
  }
  if (controls * kCharactersToAControl <= characters) return std::nullopt;
  return "this is not text: " + std::to_string(controls) + " of its " + std::to_string(characters) +
         " characters are control characters";
}

void end_lines_at_feeds(std::string& text) {
  std::size_t out = text.find('\r');
  if (out == std::string::npos) return;
  for (std::size_t in = out; in < text.size(); ++in) {
    const bool is_return = text[in] == '\r';
    if (is_return && in + 1 < text.size() && text[in + 1] == '\n') ++in;
    text[out++] = is_return ? '\n' : text[in];
  }
  text.resize(out);
}

BookDecoder::BookDecoder(std::string encoding) : encoding_(std::move(encoding)) {
  if (encoding_ != kAuto) decoder_of(encoding_);
}

Decoder& BookDecoder::decoder_of(const std::string& encoding) {
  const auto found = decoders_.find(encoding);
  return found != decoders_.end() ? found->second : decoders_.emplace(encoding, Decoder(encoding)).first->second;
}

std::optional<std::string> BookDecoder::decode(std::string_view bytes, std::string& text, std::string& note) {
  if (encoding_ != kAuto) return decode_as(encoding_, bytes, text, note);
  const auto guess = guess_encoding(bytes);
  if (!guess) return decode_as("UTF-8", bytes, text, note);
  if (!guess->is_known) note = "its encoding is guessed: " + guess->name + " (`encoding` sets another)";
  return decode_as(guess->name, bytes, text, note);
}

std::optional<std::string> BookDecoder::decode_as(const std::string& encoding, std::string_view bytes,
                                                  std::string& text, std::string& note) {
  Decoder& decoder = decoder_of(encoding);
  if (decoder.is_utf8() && !find_invalid_utf8(bytes)) {
    text = unicode::without_byte_order_mark(bytes);
    return std::nullopt;
  }
  const auto fault = decoder.decode(bytes, text);
  if (!fault) return std::nullopt;
  if (fault->is_truncated) {
    add_note(truncation_note(bytes.size() - fault->byte), note);
    return std::nullopt;
  }
  if (decoder.is_utf8()) return "invalid UTF-8 at byte " + std::to_string(*find_invalid_utf8(bytes));
  return "invalid " + encoding + " at byte " + std::to_string(fault->byte);
}

}  // namespace bertprep
