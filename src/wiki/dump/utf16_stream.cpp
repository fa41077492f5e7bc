#include "wiki/dump/utf16_stream.h"

#include <utility>

namespace bertprep {
namespace {

constexpr std::uint32_t kReplacement = 0xFFFD;
constexpr std::uint32_t kByteOrderMark = 0xFEFF;

bool is_high(std::uint32_t unit) {
  return unit >= 0xD800 && unit < 0xDC00;
}

bool is_low(std::uint32_t unit) {
  return unit >= 0xDC00 && unit < 0xE000;
}

void append_utf8(std::uint32_t c, std::string& out) {
  const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80U | (c >> shift & 0x3FU)); };
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0U | c >> 6U);
    tail(0);
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0U | c >> 12U);
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0U | c >> 18U);
    tail(12);
    tail(6);
    tail(0);
  }
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
      if (std::exchange(has_byte_, false) || std::exchange(high_, 0) != 0) append_utf8(kReplacement, out_);
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
    if (is_low(unit)) return append_utf8(0x10000U + ((high - 0xD800U) << 10U) + (unit - 0xDC00U), out_);
    append_utf8(kReplacement, out_);
  }
  if (is_high(unit)) {
    high_ = unit;
  } else if (unit != kByteOrderMark) {
    append_utf8(is_low(unit) ? kReplacement : unit, out_);
  }
}

}  // namespace bertprep
