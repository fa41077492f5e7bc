// BlockHeader: the part of a bzip2 block before its codes, and what reads it: bits and prefix codes.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace bertprep {

// BitReader: reads numbers of a few bits, most significant bit first, as bzip2 packs them.
class BitReader {
 public:
  // Up to this many bytes after the last bit may be read. Callers must check position() at least once every
  // kMaxUncheckedBits bits, and stop after the end.
  static constexpr std::size_t kSlackBytes = 512;
  static constexpr std::uint64_t kMaxUncheckedBits = 2048;
  static constexpr unsigned kFilledBits = 56;

  BitReader(const char* bytes, std::uint64_t first_bit) : bytes_(bytes), next_(bytes + first_bit / 8) {
    fill();
    drop(static_cast<unsigned>(first_bit % 8));
  }

  // Makes the next kFilledBits bits ready.
  void fill() {
    std::uint64_t word = 0;
    std::memcpy(&word, next_, sizeof(word));
    if constexpr (std::endian::native == std::endian::little) word = __builtin_bswap64(word);
    ready_ |= word >> ready_bits_;
    next_ += (63 - ready_bits_) / 8;
    ready_bits_ |= 56U;
  }
  // The next `count` of the ready bits, 1 to kFilledBits.
  std::uint64_t peek(unsigned count) const { return ready_ >> (64 - count); }
  void drop(unsigned count) {
    ready_ <<= count;
    ready_bits_ -= count;
  }
  std::uint64_t take(unsigned count) {
    fill();
    const std::uint64_t value = peek(count);
    drop(count);
    return value;
  }

  // The index of the next bit in `bytes`.
  std::uint64_t position() const { return static_cast<std::uint64_t>(next_ - bytes_) * 8 - ready_bits_; }

 private:
  const char* bytes_;
  const char* next_;         // the byte after the ready ones
  std::uint64_t ready_ = 0;  // from the top
  unsigned ready_bits_ = 0;
};

inline constexpr unsigned kMaxBzip2CodeBits = 20;
inline constexpr std::size_t kMaxBzip2Symbols = 258;

// CodeStep: the symbols in some bits, digits of a run and possibly one place.
struct CodeStep {
  static constexpr unsigned kMaxDigits = 7;

  std::uint32_t bits : 4;
  std::uint32_t digits : 4;
  std::uint32_t digit_value : 8;  // the sum of (1 + digit i) << i
  std::uint32_t place : 9;        // 0: no place after the digits
  std::uint32_t symbols : 7;      // 0: not even one, other than the end of the block, fits
};

// PrefixCode: one of the up to six Huffman codes of a bzip2 block, as tables.
//
// The symbols of a block are digits of the length of a run (0 and 1), places in the list of recent bytes (2 and up),
// and the end of the block. Most steps of the decoder look up ten bits and get all symbols in them up to a place: any
// number of digits of a run, and the place after them.
class PrefixCode {
 public:
  static constexpr unsigned kStepBits = 10;
  static constexpr unsigned kInvalid = 511;

  // The canonical code of these lengths, 1 to kMaxBzip2CodeBits each; the last symbol ends the block. Incomplete and
  // oversubscribed codes are valid: unreachable symbols never occur.
  void build(std::span<const std::uint8_t> lengths);

  CodeStep step(std::uint64_t bits) const { return steps_[static_cast<std::size_t>(bits)]; }
  // One symbol of any kind; kInvalid for bits that are not a code.
  unsigned take_symbol(BitReader& bits) const;

 private:
  struct Single {
    std::uint16_t symbol = kInvalid;
    std::uint16_t bits = 0;  // 0: the code is longer than kStepBits, or invalid
  };
  using Singles = std::array<Single, 1U << kStepBits>;

  static CodeStep make_step(const Singles& singles, std::uint32_t bits, unsigned end_symbol);

  std::array<CodeStep, 1U << kStepBits> steps_;
  // By code length: the end of the codes, shifted to kMaxBzip2CodeBits bits; and the difference between a code and its
  // index in symbols_.
  std::array<std::uint32_t, kMaxBzip2CodeBits + 1> limits_;
  std::array<std::uint32_t, kMaxBzip2CodeBits + 1> offsets_;
  std::array<std::uint16_t, kMaxBzip2Symbols> symbols_;
};

// The maximum size of a block before sorting: nine times 100,000.
inline constexpr std::uint32_t kMaxBzip2BlockBytes = 900'000;
// Symbols per group, which share a code.
inline constexpr unsigned kBzip2GroupSymbols = 50;

struct BlockHeader {
  static constexpr std::size_t kMaxCodes = 6;

  std::uint32_t checksum = 0;
  bool is_randomized = false;   // by bzip2 before 0.9.5, for repetitive blocks
  std::uint32_t first_row = 0;  // which of the sorted rotations is the block
  std::array<std::uint8_t, 256> used_bytes{};
  std::size_t used_byte_count = 0;
  std::array<PrefixCode, kMaxCodes> codes;
  std::vector<std::uint8_t> code_of_group;

  // Reads all from the checksum on; false if it is invalid. `end_bit` as for BitReader.
  bool read(BitReader& bits, std::uint64_t end_bit);

 private:
  void read_used_bytes(BitReader& bits);
  bool read_groups(BitReader& bits, std::size_t code_count, std::uint64_t end_bit);
  bool read_code(BitReader& bits, PrefixCode& code, std::uint64_t end_bit) const;
};

}  // namespace bertprep
