#include "wiki/dump/utf16_stream.h"

#include <utility>

#include "unicode/code_points.h"

namespace bertprep {
namespace {

constexpr std::uint32_t kByteOrderMark = 0xFEFF;

bool is_high(std::uint32_t unit) {
  return unit >= 0xD800 && unit < 0xDC00;
}

bool is_low(std::uint32_t unit) {
  return unit >= 0xDC00 && unit < 0xE000;
}

}  // namespace

Utf16 utf16_of(std::string_view first_bytes) {
  const std::string_view two = first_bytes.substr(0, 2);
  if (two == "\xFF\xFE" || two == std::string_view("<\0", 2)) return Utf16::kLittleEndian;
  if (two == "\xFE\xFF" || two == std::string_view("\0<", 2)) return Utf16::kBigEndian;
  return Utf16::kNone;
}

Utf16Stream::Utf16Stream(std::unique_ptr<ByteStream> bytes, Utf16 order) : bytes_(std::move(bytes)), order_(order) {}

std::string_view Utf16Stream::next_block() {
  out_.clear();
  while (out_.empty()) {
    const std::string_view block = bytes_->next_block();
    if (block.empty()) {
      if (std::exchange(has_byte_, false) || std::exchange(high_, 0) != 0)
        unicode::append_utf8(unicode::kReplacement, out_);
      return out_;
    }
    for (const char c : block) {
      const auto byte = static_cast<unsigned char>(c);
      if (!std::exchange(has_byte_, !has_byte_)) {
        byte_ = byte;
      } else {
        const std::uint32_t first = byte_;
        add_unit(order_ == Utf16::kBigEndian ? first << 8U | byte : std::uint32_t{byte} << 8U | first);
      }
    }
  }
  return out_;
}

void Utf16Stream::add_unit(std::uint32_t unit) {
  if (const std::uint32_t high = std::exchange(high_, 0); high != 0) {
    if (is_low(unit)) return unicode::append_utf8(0x10000U + ((high - 0xD800U) << 10U) + (unit - 0xDC00U), out_);
    unicode::append_utf8(unicode::kReplacement, out_);
  }
  if (is_high(unit)) {
    high_ = unit;
  } else if (unit != kByteOrderMark) {
    unicode::append_utf8(is_low(unit) ? unicode::kReplacement : unit, out_);
  }
}

}  // namespace bertprep
