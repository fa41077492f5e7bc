// RecentBytes: the list of move-to-front. The first sixteen bytes, which nearly all symbols name, are two numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace bertprep {

class RecentBytes {
 public:
  explicit RecentBytes(std::span<const std::uint8_t> bytes) {
    std::array<std::uint8_t, 256> all{};
    for (std::size_t i = 0; i < bytes.size(); ++i) all[i] = bytes[i];
    for (unsigned i = 8; i-- > 0;) low_ = low_ << 8U | all[i];
    for (unsigned i = 16; i-- > 8;) high_ = high_ << 8U | all[i];
    for (std::size_t i = 0; i < rest_.size(); ++i) rest_[i] = all[16 + i];
  }

  std::uint8_t first() const { return static_cast<std::uint8_t>(low_); }

  // Moves the byte at `place` (1 to 255) to the front.
  std::uint8_t take(unsigned place) {
    if (place < 8) {
      const auto byte = static_cast<std::uint8_t>(low_ >> 8 * place);
      low_ = put_in_front(low_, place, byte);
      return byte;
    }
    const auto last_low = static_cast<std::uint8_t>(low_ >> 56U);
    std::uint8_t byte = 0;
    if (place < 16) {
      byte = static_cast<std::uint8_t>(high_ >> 8 * (place - 8));
      high_ = put_in_front(high_, place - 8, last_low);
    } else {
      byte = rest_[place - 16];
      std::memmove(&rest_[1], &rest_[0], place - 16);
      rest_[0] = static_cast<std::uint8_t>(high_ >> 56U);
      high_ = high_ << 8U | last_low;
    }
    low_ = low_ << 8U | byte;
    return byte;
  }

 private:
  // Of the eight bytes of `list`, those before `place` go up by one, over the one that stands there.
  static std::uint64_t put_in_front(std::uint64_t list, unsigned place, std::uint8_t byte) {
    const std::uint64_t kept = ~std::uint64_t{0xFF} << 8 * place;
    return (list & kept) | (list << 8U & ~kept) | byte;
  }

  std::uint64_t low_ = 0;
  std::uint64_t high_ = 0;
  std::array<std::uint8_t, 240> rest_{};
};

}  // namespace bertprep
