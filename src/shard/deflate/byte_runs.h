// Runs of equal bytes: ByteRuns lists them, RunBlock writes them as a deflate block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "shard/deflate/block_code.h"

namespace bertprep {

struct ByteRun {
  std::uint8_t value;
  std::uint32_t length;
};

class ByteRuns {
 public:
  void clear();
  // Extends the last run if the values are equal.
  void append(std::span<const std::uint8_t> bytes);
  void append_run(std::uint8_t value, std::size_t length);

  std::span<const ByteRun> runs() const { return runs_; }
  // Bitwise or of all values: 1 for an array of 0 and 1.
  std::uint8_t used_bits() const { return used_bits_; }

 private:
  std::vector<ByteRun> runs_;
  std::uint8_t used_bits_ = 0;
};

// Calls literals(count) and repeat(length) in the order in which a run of `length` > 0 equal bytes is sent. A rest too
// short for a repetition is sent as literals; the last but one repetition is shortened if that avoids such a rest.
template <class Literals, class RepeatOne>
void for_each_piece(std::size_t length, Literals&& literals, RepeatOne&& repeat) {
  literals(1);
  --length;
  while (length >= kMaxRepeat) {
    const std::size_t rest = length - kMaxRepeat;
    const std::size_t piece = rest > 0 && rest < kMinRepeat ? kMaxRepeat - kMinRepeat : kMaxRepeat;
    repeat(piece);
    length -= piece;
  }
  if (length >= kMinRepeat) {
    repeat(length);
  } else if (length > 0) {
    literals(length);
  }
}

inline void count_run(BlockCounts& counts, std::uint8_t value, std::size_t length) {
  for_each_piece(
      length, [&](std::size_t count) { counts[value] += count; },
      [&](std::size_t piece) { ++counts[repeat_symbol(piece)]; });
}

// Writes a run that needs other than one literal and one repetition.
BitWriter write_odd_run(BitWriter writer, const BlockCode& code, std::uint8_t value, std::size_t length);

// Takes and returns the writer by value: one passed by reference would be stored and reloaded for every byte, since a
// byte written might alias it.
inline BitWriter write_run(BitWriter writer, const BlockCode& code, std::uint8_t value, std::size_t length) {
  if (length <= kMinRepeat || length > kMaxRepeat + 1) return write_odd_run(writer, code, value, length);
  const BitCode literal = code.literal(value);
  const BitCode repeat = code.repeat(length - 1);
  writer.put(literal.bits | std::uint64_t{repeat.bits} << literal.count, literal.count + repeat.count);
  return writer;
}

// RunBlock: writes runs of bytes as one deflate block, with a code learned from the first runs.

class RunBlock {
 public:
  // The code is learned again only if bytes occur that it can't encode, so the output depends only on the runs since
  // forget(). Zeros alone have a code of their own.
  void write(const ByteRuns& runs, bool last, BitWriter& writer);
  void forget() { code_.reset(); }

 private:
  std::optional<BlockCode> code_;
  unsigned alphabet_bits_ = 0;
  // Most datasets have planes of zeros, and small shards would learn their code thousands of times.
  std::optional<BlockCode> code_of_zeros_;
};

}  // namespace bertprep
