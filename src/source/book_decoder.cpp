#include "source/book_decoder.h"

#include <utility>

#include "io/utf8.h"
#include "source/byte_order_mark.h"
#include "source/encoding_guess.h"

namespace bertprep {
namespace {

constexpr const char* kAuto = "auto";

std::string cut_note(std::size_t bytes) {
  return "it ends within a character: its last " + std::to_string(bytes) + " bytes are left out";
}

void add_note(const std::string& more, std::string& note) {
  if (!note.empty()) note += "; ";
  note += more;
}

}  // namespace

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
  if (!guess->is_known) note = "read by a guess at its encoding: " + guess->name + " (--encoding names another)";
  return decode_as(guess->name, bytes, text, note);
}

std::optional<std::string> BookDecoder::decode_as(const std::string& encoding, std::string_view bytes,
                                                  std::string& text, std::string& note) {
  Decoder& decoder = decoder_of(encoding);
  if (decoder.is_utf8() && !find_invalid_utf8(bytes)) {
    text = without_byte_order_mark(bytes);
    return std::nullopt;
  }
  const auto fault = decoder.decode(bytes, text);
  if (!fault) return std::nullopt;
  if (fault->is_cut) {
    add_note(cut_note(bytes.size() - fault->byte), note);
    return std::nullopt;
  }
  if (decoder.is_utf8()) return "invalid UTF-8 at byte " + std::to_string(*find_invalid_utf8(bytes));
  return "invalid " + encoding + " at byte " + std::to_string(fault->byte);
}

}  // namespace bertprep
