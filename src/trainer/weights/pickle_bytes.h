// PickleBytes: the bytes of a pickle from front to back. Throws FormatError at their end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "bertprep/base/error.h"

namespace bertprep {

class PickleBytes {
 public:
  PickleBytes(std::string_view bytes, std::string where) : bytes_(bytes), where_(std::move(where)) {}

  std::size_t position() const { return at_; }

  std::string_view take(std::uint64_t count) {
    if (count > bytes_.size() - at_) fail("ends too soon", "the file is cut short or damaged: get it again");
    const std::string_view taken = bytes_.substr(at_, count);
    at_ += count;
    return taken;
  }

  // Unsigned, little-endian, of 1 to 8 bytes.
  std::uint64_t number(std::size_t bytes) {
    std::uint64_t value = 0;
    const std::string_view digits = take(bytes);
    for (std::size_t i = bytes; i-- > 0;) value = value << 8 | static_cast<unsigned char>(digits[i]);
    return value;
  }

  // What a number of so many bytes in front announces.
  std::string_view counted(std::size_t bytes) { return take(number(bytes)); }

  // Up to the next line end, which is taken but not returned.
  std::string_view line() {
    const std::size_t end = bytes_.find('\n', at_);
    if (end == std::string_view::npos) fail("ends too soon", "the file is cut short or damaged: get it again");
    const std::string_view text = take(end - at_);
    ++at_;
    return text;
  }

  [[noreturn]] void fail(const std::string& what, const std::string& hint) const {
    throw FormatError("the pickle " + what + " (byte " + std::to_string(at_) + " of it)", where_, hint);
  }

 private:
  std::string_view bytes_;
  std::string where_;
  std::size_t at_ = 0;
};

}  // namespace bertprep
