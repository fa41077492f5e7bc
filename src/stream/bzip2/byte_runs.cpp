#include "stream/bzip2/byte_runs.h"

#include "base/clones.h"
#include "stream/bzip2/recent_bytes.h"

namespace bertprep {
namespace {

// One per byte, one before the first, and those that long ones are split into.
constexpr std::size_t kMaxRuns = kMaxBzip2BlockBytes + 1 + kMaxBzip2BlockBytes / 255;
// A run of more digits is longer than any block.
constexpr unsigned kMaxDigits = 20;

}  // namespace

Bzip2Runs::Bzip2Runs() : runs_(std::make_unique_for_overwrite<Bzip2Run[]>(kMaxRuns)) {}

template <class Recent>
BERTPREP_INLINE bool Bzip2Runs::read_with(const BlockHeader& head, BitReader& outer_bits, std::uint64_t end_bit) {
  BitReader bits = outer_bits;  // a copy, kept in registers
  ByteOrder order = head.used_bytes;
  Recent recent(order);
  const auto end_symbol = static_cast<unsigned>(head.used_byte_count) + 1;
  counts_.fill(0);
  count_ = 0;
  bytes_ = 0;
  std::uint8_t byte = recent.first();
  std::uint64_t run = 0;  // of `byte`, so far
  unsigned digits = 0;
  const auto end_run = [&] {
    if (bytes_ + run > kMaxBzip2BlockBytes) return false;
    counts_[byte] += static_cast<std::uint32_t>(run);
    bytes_ += static_cast<std::uint32_t>(run);
    for (; run > 255; run -= 255) runs_[count_++] = {byte, 255};
    runs_[count_++] = {byte, static_cast<std::uint8_t>(run)};
    return true;
  };
  for (const std::uint8_t number : head.code_of_group) {
    const PrefixCode& code = head.codes[number];
    for (unsigned left = kBzip2GroupSymbols; left != 0;) {
      bits.fill();
      const CodeStep step = code.step(bits.peek(PrefixCode::kStepBits));
      unsigned place = step.place;
      if (step.symbols == 0 || step.symbols > left) [[unlikely]] {
        const unsigned symbol = code.take_symbol(bits);
        if (symbol == PrefixCode::kInvalid) return false;
        --left;
        if (symbol == end_symbol) {
          outer_bits = bits;
          return end_run() && bits.position() <= end_bit;
        }
        if (symbol <= 1) {
          run += std::uint64_t{1 + symbol} << digits++;
          place = 0;
        } else {
          place = symbol - 1;
        }
      } else {
        bits.drop(step.bits);
        left -= step.symbols;
        run += std::uint64_t{step.digit_value} << digits;
        digits += step.digits;
      }
      if (place == 0) [[unlikely]] {
        if (digits > kMaxDigits) return false;
        continue;
      }
      if (!end_run()) return false;
      byte = recent.take(place);
      run = 1;
      digits = 0;
    }
    if (bits.position() > end_bit) return false;
  }
  return false;
}

BERTPREP_CLONES
bool Bzip2Runs::read_by_vectors(const BlockHeader& head, BitReader& bits, std::uint64_t end_bit) {
  return read_with<RecentVector>(head, bits, end_bit);
}

bool Bzip2Runs::read(const BlockHeader& head, BitReader& bits, std::uint64_t end_bit) {
  if (RecentVector::is_fast()) return read_by_vectors(head, bits, end_bit);
  return read_with<RecentBytes>(head, bits, end_bit);
}

}  // namespace bertprep
