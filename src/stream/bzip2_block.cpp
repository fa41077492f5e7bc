#include "stream/bzip2_block.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "stream/bzip2_scan.h"

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

// Text of 900,000 bytes has few runs.
constexpr std::size_t kBufferBytes = std::size_t{1} << 20U;

#if defined(BERTPREP_LIBBZ2)
constexpr bool kIsLibbz2Asked = true;
#else
constexpr bool kIsLibbz2Asked = false;
#endif

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

void Bzip2Block::set(std::string_view bytes, unsigned first_bit, std::uint64_t end_bit) {
  is_set_ = frame_.set(bytes, first_bit, end_bit);
}

void Bzip2Block::decode(Bzip2Decoder& decoder) {
  using Outcome = Bzip2Decoder::Outcome;
  state_ = Bzip2State::kDamaged;
  is_served_ = false;
  if (!is_set_) return;
  const std::uint64_t first_bit = frame_.first_bit() + kBzip2MarkBits;
  Outcome outcome = Outcome::kRandomized;
  if (!kIsLibbz2Asked) outcome = decoder.decode(frame_.bytes(), first_bit, frame_.end_of_stream());
  is_of_libbz2_ = outcome == Outcome::kRandomized;
  if (is_of_libbz2_) {
    if (libbz2_ == nullptr) libbz2_ = std::make_unique<Libbz2Block>();
    libbz2_->decode(frame_);
    state_ = libbz2_->state();
    bits_ = libbz2_->bits();
    return;
  }
  if (outcome == Outcome::kDamaged || !expand(decoder.packed())) return;
  bits_ = decoder.end_bit() - frame_.first_bit();
  if (decoder.end_bit() == frame_.end_bit()) {
    state_ = Bzip2State::kComplete;
  } else if (decoder.end_bit() + 8 <= frame_.end_of_stream()) {
    state_ = Bzip2State::kWithoutEnd;
  }
}

char* Bzip2Block::buffer() {
  if (!buffer_) buffer_ = std::make_unique_for_overwrite<char[]>(kBufferBytes + RunExpansion::kSlackBytes);
  return buffer_.get();
}

// Whether the runs are complete and have the block's checksum.
bool Bzip2Block::expand(std::span<const std::uint8_t> packed) {
  RunExpansion runs(packed);
  std::uint32_t checksum = 0;
  packed_.reset();
  do {
    kept_bytes_ = runs.expand(buffer(), kBufferBytes);
    checksum = bzip2_checksum(checksum, {buffer(), kept_bytes_});
    if (runs.is_at_end() || packed_) continue;
    packed_ = std::make_unique_for_overwrite<std::uint8_t[]>(packed.size());
    std::copy(packed.begin(), packed.end(), packed_.get());
    rest_ = RunExpansion({packed_.get(), packed.size()});
  } while (!runs.is_at_end());
  return !runs.is_truncated() && checksum == frame_.checksum();
}

std::string_view Bzip2Block::next_piece() {
  if (is_of_libbz2_) return libbz2_->next_piece();
  if (packed_) return {buffer(), rest_.expand(buffer(), kBufferBytes)};
  if (is_served_) return {};
  is_served_ = true;
  return {buffer(), kept_bytes_};
}

}  // namespace bertprep
