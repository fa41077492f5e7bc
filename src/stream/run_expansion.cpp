#include "stream/run_expansion.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace bertprep {
namespace {

std::uint64_t load_word(const std::uint8_t* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

// Bit 7 of each byte that is 0, and possibly of some after the first such byte.
std::uint64_t zeros_of(std::uint64_t word) {
  return (word - 0x0101'0101'0101'0101) & ~word & 0x8080'8080'8080'8080;
}

constexpr std::size_t kWordBytes = 8;
constexpr std::size_t kRunBytes = 4;

// tables[i][b]: what byte b adds to the sum if i bytes follow it.
using ChecksumTables = std::array<std::array<std::uint32_t, 256>, 16>;

constexpr ChecksumTables kTables = [] {
  ChecksumTables tables{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i << 24U;
    for (int bit = 0; bit < 8; ++bit) value = (value & 0x8000'0000U) != 0 ? value << 1U ^ 0x04C1'1DB7U : value << 1U;
    tables[0][i] = value;
  }
  for (std::size_t after = 1; after < tables.size(); ++after) {
    for (std::size_t i = 0; i < 256; ++i) {
      const std::uint32_t before = tables[after - 1][i];
      tables[after][i] = before << 8U ^ tables[0][before >> 24U];
    }
  }
  return tables;
}();

}  // namespace

std::size_t RunExpansion::expand(char* out, std::size_t room) {
  static_assert(std::endian::native == std::endian::little, "the first byte is the lowest");
  const std::uint8_t* const bytes = packed_.data();
  const std::size_t size = packed_.size();
  std::size_t done = 0;
  while (at_ < size && done < room) {
    if (size - at_ >= kWordBytes + kRunBytes) {
      const std::uint64_t word = load_word(bytes + at_);
      const std::uint64_t next = load_word(bytes + at_ + 1);
      const std::uint64_t second = load_word(bytes + at_ + 2);
      const std::uint64_t differs = (word ^ next) | (next ^ second) | (second ^ load_word(bytes + at_ + 3));
      const std::uint64_t runs = zeros_of(differs);
      std::memcpy(out + done, &word, kWordBytes);
      const std::size_t single = runs == 0 ? kWordBytes : static_cast<std::size_t>(std::countr_zero(runs)) / 8;
      at_ += single;
      done += single;
      if (runs == 0) continue;
    } else if (size - at_ < kRunBytes || std::any_of(bytes + at_ + 1, bytes + at_ + kRunBytes,
                                                     [&](std::uint8_t byte) { return byte != bytes[at_]; })) {
      out[done++] = static_cast<char>(bytes[at_++]);
      continue;
    }
    is_truncated_ = at_ + kRunBytes == size;
    const std::size_t count = kRunBytes + (is_truncated_ ? 0U : bytes[at_ + kRunBytes]);
    std::memset(out + done, bytes[at_], count);
    done += count;
    at_ += kRunBytes + (is_truncated_ ? 0U : 1U);
  }
  return done;
}

std::uint32_t bzip2_checksum(std::uint32_t crc, std::string_view bytes) {
  crc = ~crc;
  const auto* at = reinterpret_cast<const std::uint8_t*>(bytes.data());
  std::size_t left = bytes.size();
  for (; left >= kTables.size(); left -= kTables.size(), at += kTables.size()) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < 4; ++i) sum ^= kTables[15 - i][at[i] ^ (crc >> (24 - 8 * i) & 0xFFU)];
    for (std::size_t i = 4; i < kTables.size(); ++i) sum ^= kTables[15 - i][at[i]];
    crc = sum;
  }
  for (; left != 0; --left) crc = crc << 8U ^ kTables[0][crc >> 24U ^ *at++];
  return ~crc;
}

}  // namespace bertprep
