// Utf16Stream: a stream of UTF-16 as UTF-8, for dumps saved as such by an editor.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "stream/byte_stream.h"

namespace bertprep {

enum class Utf16 { kNone, kLittleEndian, kBigEndian };

// By the byte order mark, or by the zero bytes around a first "<".
Utf16 utf16_of(std::string_view first_bytes);

class Utf16Stream final : public ByteStream {
 public:
  Utf16Stream(std::unique_ptr<ByteStream> bytes, Utf16 order);

  // Half of a surrogate pair becomes U+FFFD.
  std::string_view next_block() override;
  bool is_after_gap() const override { return bytes_->is_after_gap(); }
  FileBytes gap() const override { return bytes_->gap(); }

 private:
  void add_unit(std::uint32_t unit);

  std::unique_ptr<ByteStream> bytes_;
  Utf16 order_;
  std::string out_;
  bool has_byte_ = false;
  unsigned char byte_ = 0;  // the first of a unit that continues in the next block
  std::uint32_t high_ = 0;  // a high surrogate waiting for its low one
};

}  // namespace bertprep
