// RunExpansion: the first step of bzip2 undone: behind four equal bytes stands how many more follow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace bertprep {

class RunExpansion {
 public:
  // Four equal bytes and 255 more: what may be written behind `room`.
  static constexpr std::size_t kSlackBytes = 272;

  explicit RunExpansion(std::span<const std::uint8_t> packed) : packed_(packed) {}

  // Writes the next bytes to `out`, until there are at least `room` or no more, and returns their number.
  std::size_t expand(char* out, std::size_t room);
  bool is_at_end() const { return at_ == packed_.size(); }
  // The last run lacks its number.
  bool is_cut() const { return is_cut_; }

 private:
  std::span<const std::uint8_t> packed_;
  std::size_t at_ = 0;
  bool is_cut_ = false;
};

// The checksum of bzip2: CRC-32 of IEEE 802.3, most significant bit first. `crc` is that of what came before, or 0.
std::uint32_t bzip2_checksum(std::uint32_t crc, std::string_view bytes);

}  // namespace bertprep
