// RunExpansion: undoes the first step of bzip2, where four equal bytes are followed by the number of further ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace bertprep {

class RunExpansion {
 public:
  // Four equal bytes and 255 more: up to this many bytes may be written beyond `room`.
  static constexpr std::size_t kSlackBytes = 272;

  explicit RunExpansion(std::span<const std::uint8_t> packed) : packed_(packed) {}

  // Writes at least `room` bytes to `out`, or all that remain, and returns their number.
  std::size_t expand(char* out, std::size_t room);
  bool is_at_end() const { return at_ == packed_.size(); }
  // The last run lacks its count.
  bool is_truncated() const { return is_truncated_; }

 private:
  std::span<const std::uint8_t> packed_;
  std::size_t at_ = 0;
  bool is_truncated_ = false;
};

// The checksum of bzip2: CRC-32 of IEEE 802.3, most significant bit first. `crc` is that of the preceding bytes, or 0.
std::uint32_t bzip2_checksum(std::uint32_t crc, std::string_view bytes);

}  // namespace bertprep
