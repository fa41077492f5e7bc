#include "source/columns/packed_numbers.h"

#include <algorithm>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

constexpr std::uint64_t kMaxBlock = std::uint64_t{1} << 20;   // values; writers take 128
constexpr std::uint64_t kMaxGroups = std::uint64_t{1} << 40;  // more than any page has

[[noreturn]] void fail() {
  throw FormatError("its numbers end early or make no sense");
}

unsigned byte_at(std::string_view bytes, std::uint64_t i) {
  return static_cast<unsigned char>(bytes[i]);
}

std::uint64_t take_varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const unsigned next = byte_at(take_bytes(bytes, 1), 0);
    value |= std::uint64_t{next & 0x7FU} << shift;
    if (next < 0x80U) return value;
  }
  fail();
}

// As two's complement: sums wrap around.
std::uint64_t take_zigzag(std::string_view& bytes) {
  const std::uint64_t value = take_varint(bytes);
  return (value >> 1U) ^ (0 - (value & 1U));
}

std::uint64_t bits_at(std::string_view bytes, std::uint64_t bit, unsigned width) {
  if ((bit + width + 7) / 8 > bytes.size()) fail();
  std::uint64_t value = 0;
  for (unsigned done = 0; done < width;) {
    const unsigned shift = (bit + done) % 8;
    const unsigned count = std::min(8 - shift, width - done);
    const std::uint64_t part = byte_at(bytes, (bit + done) / 8) >> shift & ((1U << count) - 1);
    value |= part << done;
    done += count;
  }
  return value;
}

}  // namespace

std::string_view take_bytes(std::string_view& bytes, std::uint64_t count) {
  if (count > bytes.size()) throw FormatError("its values end early");
  const std::string_view taken = bytes.substr(0, count);
  bytes.remove_prefix(count);
  return taken;
}

// The last group may be cut after the last number.
void HybridReader::begin_run() {
  const std::uint64_t head = take_varint(bytes_);
  left_ = head >> 1U;
  is_packed_ = (head & 1U) != 0;
  if (!is_packed_) {
    value_ = static_cast<std::uint32_t>(number_in(take_bytes(bytes_, (width_ + 7) / 8)));
    return;
  }
  const std::uint64_t groups = std::min(left_, kMaxGroups);
  packed_ = take_bytes(bytes_, std::min<std::uint64_t>(groups * width_, bytes_.size()));
  left_ = groups * 8;
  bit_ = 0;
}

std::uint32_t HybridReader::next() {
  while (left_ == 0) begin_run();
  --left_;
  if (!is_packed_) return value_;
  const auto value = static_cast<std::uint32_t>(bits_at(packed_, bit_, width_));
  bit_ += width_;
  return value;
}

DeltaReader::DeltaReader(std::string_view bytes) : bytes_(bytes) {
  const std::uint64_t block = take_varint(bytes_);
  miniblocks_ = take_varint(bytes_);
  left_ = take_varint(bytes_);
  value_ = take_zigzag(bytes_);
  if (block > kMaxBlock || miniblocks_ == 0 || block % miniblocks_ != 0) fail();
  miniblock_values_ = block / miniblocks_;
  if (miniblock_values_ == 0 || miniblock_values_ % 8 != 0) fail();
}

void DeltaReader::begin_block() {
  least_ = take_zigzag(bytes_);
  widths_ = take_bytes(bytes_, miniblocks_);
}

void DeltaReader::begin_miniblock() {
  if (widths_.empty()) begin_block();
  width_ = byte_at(take_bytes(widths_, 1), 0);
  if (width_ > 64) fail();
  in_miniblock_ = miniblock_values_;
  // The last miniblock may be cut after the last value.
  packed_ = take_bytes(bytes_, std::min<std::uint64_t>(miniblock_values_ / 8 * width_, bytes_.size()));
  bit_ = 0;
}

std::int64_t DeltaReader::next() {
  if (!is_first_) {
    if (in_miniblock_ == 0) begin_miniblock();
    value_ += least_ + bits_at(packed_, bit_, width_);
    bit_ += width_;
    --in_miniblock_;
  }
  is_first_ = false;
  --left_;
  return static_cast<std::int64_t>(value_);
}

std::string_view DeltaReader::rest() const {
  DeltaReader walk = *this;
  for (std::uint64_t left = left_ == 0 ? 0 : left_ - 1; left > 0;) {
    walk.begin_miniblock();
    left -= std::min(left, miniblock_values_);
  }
  return walk.bytes_;
}

}  // namespace bertprep
