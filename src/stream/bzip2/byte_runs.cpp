#include "stream/bzip2/byte_runs.h"

#include <cstring>

#include "base/clones.h"

namespace bertprep {
namespace {

constexpr std::size_t kMaxRuns = kMaxBzip2BlockBytes + kMaxBzip2BlockBytes / 255 + 2 * kBzip2GroupSymbols;
// A run of more digits is longer than any block.
constexpr unsigned kMaxDigits = 20;

// The move-to-front list. The first sixteen bytes, which nearly all symbols refer to, are two numbers.
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
  // Moves the bytes of `list` before `place` up by one, over the byte at `place`, and puts `byte` in front.
  static std::uint64_t put_in_front(std::uint64_t list, unsigned place, std::uint8_t byte) {
    const std::uint64_t kept = ~std::uint64_t{0xFF} << 8 * place;
    return (list & kept) | (list << 8U & ~kept) | byte;
  }

  std::uint64_t low_ = 0;
  std::uint64_t high_ = 0;
  std::array<std::uint8_t, 240> rest_{};
};

}  // namespace

Bzip2Runs::Bzip2Runs() : runs_(std::make_unique_for_overwrite<Bzip2Run[]>(kMaxRuns)) {}

// A run of more than 255; false if the block has no room for it.
bool Bzip2Runs::add_long(std::uint8_t byte, std::uint64_t count) {
  if (count > kMaxBzip2BlockBytes - bytes_) return false;
  for (; count > 255; count -= 255) runs_[count_++] = {byte, 255};
  runs_[count_++] = {byte, static_cast<std::uint8_t>(count)};
  return true;
}

BERTPREP_CLONES
bool Bzip2Runs::read(const BlockHeader& head, BitReader& outer_bits, std::uint64_t end_bit) {
  BitReader bits = outer_bits;  // a copy, kept in registers
  RecentBytes recent(std::span(head.used_bytes).first(head.used_byte_count));
  const auto end_symbol = static_cast<unsigned>(head.used_byte_count) + 1;
  counts_.fill(0);
  count_ = 0;
  bytes_ = 0;
  std::uint8_t byte = recent.first();
  std::uint64_t run = 0;  // of `byte`, so far
  unsigned digits = 0;
  const auto end_run = [&] {
    if (run > 255) {
      if (!add_long(byte, run)) return false;
    } else {
      runs_[count_++] = {byte, static_cast<std::uint8_t>(run)};
    }
    counts_[byte] += static_cast<std::uint32_t>(run);
    bytes_ += static_cast<std::uint32_t>(run);
    return true;
  };
  for (const std::uint8_t number : head.code_of_group) {
    const PrefixCode& code = head.codes[number];
    for (unsigned left = kBzip2GroupSymbols; left != 0;) {
      bits.fill();
      const CodeStep step = code.step(bits.peek(PrefixCode::kStepBits));
      unsigned place = step.place();
      if (step.is_none() || step.symbols() > left) {
        const unsigned symbol = code.take_symbol(bits);
        if (symbol == PrefixCode::kInvalid) return false;
        --left;
        if (symbol == end_symbol) {
          outer_bits = bits;
          return end_run() && bytes_ <= kMaxBzip2BlockBytes && bits.position() <= end_bit;
        }
        if (symbol <= 1) {
          run += std::uint64_t{1 + symbol} << digits++;
          place = 0;
        } else {
          place = symbol - 1;
        }
      } else {
        bits.drop(step.bits());
        left -= step.symbols();
        run += std::uint64_t{step.digit_value()} << digits;
        digits += step.digits();
      }
      if (place == 0) {
        if (digits > kMaxDigits) return false;
        continue;
      }
      if (!end_run()) return false;
      byte = recent.take(place);
      run = 1;
      digits = 0;
    }
    if (bytes_ > kMaxBzip2BlockBytes || bits.position() > end_bit) return false;
  }
  return false;
}

}  // namespace bertprep
