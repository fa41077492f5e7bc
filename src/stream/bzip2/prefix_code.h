// PrefixCode: one of the up to six Huffman codes of a bzip2 block, as tables.
//
// The symbols of a block are digits of the length of a run (0 and 1), places in the list of recent bytes (2 and up),
// and the end of the block. Most steps of the decoder look up ten bits and get all that they hold up to a place: the
// digits of a run, in whatever number, and the place behind it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "stream/bzip2/bit_reader.h"

namespace bertprep {

inline constexpr unsigned kMaxBzip2CodeBits = 20;
inline constexpr std::size_t kMaxBzip2Symbols = 258;

// CodeStep: the symbols that some bits hold, digits of a run and perhaps one place, as one number.
class CodeStep {
 public:
  static constexpr unsigned kMostDigits = 7;

  CodeStep() = default;
  CodeStep(unsigned bits, unsigned digits, unsigned digit_value, unsigned place)
      : packed_(bits | digits << 4U | digit_value << 8U | place << 16U | (digits + (place != 0 ? 1U : 0U)) << 25U) {}

  bool is_none() const { return packed_ == 0; }
  unsigned bits() const { return packed_ & 15U; }
  unsigned digits() const { return packed_ >> 4U & 15U; }
  unsigned digit_value() const { return packed_ >> 8U & 255U; }  // the sum of (1 + digit i) << i
  unsigned place() const { return packed_ >> 16U & 511U; }       // 0: no place follows the digits
  unsigned symbols() const { return packed_ >> 25U; }

 private:
  std::uint32_t packed_ = 0;
};

class PrefixCode {
 public:
  static constexpr unsigned kStepBits = 10;
  static constexpr unsigned kInvalid = 511;

  // The canonical code of these lengths, 1 to kMaxBzip2CodeBits each; the last symbol ends the block. A code that
  // leaves room is valid, and so is one with too many short codes: what can't be reached is never met.
  void build(std::span<const std::uint8_t> lengths);

  // None if not even one symbol that ends no block fits.
  CodeStep step(std::uint64_t bits) const { return steps_[static_cast<std::size_t>(bits)]; }
  // One symbol, whatever it is; kInvalid for bits that are no code.
  unsigned take_symbol(BitReader& bits) const;

 private:
  CodeStep make_step(std::uint32_t bits) const;

  struct Single {
    std::uint16_t symbol = kInvalid;
    std::uint16_t bits = 0;  // 0: the code is longer than kStepBits, or there is none
  };
  std::array<CodeStep, 1U << kStepBits> steps_;
  std::array<Single, 1U << kStepBits> singles_;
  // Of codes of so many bits: behind the last one, moved to kMaxBzip2CodeBits bits; and what makes a code an index into
  // symbols_.
  std::array<std::uint32_t, kMaxBzip2CodeBits + 1> limits_;
  std::array<std::uint32_t, kMaxBzip2CodeBits + 1> offsets_;
  std::array<std::uint16_t, kMaxBzip2Symbols> symbols_;
  unsigned end_symbol_ = 0;
};

}  // namespace bertprep
