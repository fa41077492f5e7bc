// Bzip2Decoder: one block of bzip2, from its bits to its run-length encoded bytes.
//
// The format follows the author's documentation of bzip2 1.0.8 and the behaviour of libbz2. Memory: 9 MB, reused for
// each block.
#pragma once

#include "base/large_array.h"
#include "stream/bzip2/block_header.h"

namespace bertprep {

// A byte and how often it is repeated, 0 to 255 times; longer runs are split. The members have no initial values, so
// that of a million runs only the used ones touch memory.
struct Bzip2Run {
  std::uint8_t byte;
  std::uint8_t count;
};

// Bzip2Runs: the codes of a bzip2 block -> the last column of its sorted rotations, as runs of equal bytes.
class Bzip2Runs {
 public:
  Bzip2Runs();

  // Reads the block after `head`; false if it is invalid. `end_bit` as for BitReader.
  bool read(const BlockHeader& head, BitReader& bits, std::uint64_t end_bit);

  std::span<const Bzip2Run> runs() const { return {runs_.get(), count_}; }
  std::uint32_t bytes() const { return bytes_; }
  // How often each byte occurs.
  const std::array<std::uint32_t, 256>& counts() const { return counts_; }

 private:
  template <class Recent>
  bool read_with(const BlockHeader& head, BitReader& bits, std::uint64_t end_bit);
  bool read_by_vectors(const BlockHeader& head, BitReader& bits, std::uint64_t end_bit);

  std::unique_ptr<Bzip2Run[]> runs_;
  std::size_t count_ = 0;
  std::uint32_t bytes_ = 0;
  std::array<std::uint32_t, 256> counts_{};
};

// InverseTransform: the last column of a block's sorted rotations -> the block.
//
// The inverse of Burrows and Wheeler's transform follows a permutation through megabytes, so each step waits for
// memory. As the permutation can be entered anywhere, several chains are followed at once, each until it meets a row
// where another one began; then the pieces are put in order.
class InverseTransform {
 public:
  static constexpr std::size_t kChains = 32;

  InverseTransform();

  // The bytes of the block whose rotation is `first_row` of `runs.bytes()`; writes runs.bytes() of them to `out`.
  void run(const Bzip2Runs& runs, std::uint32_t first_row, std::uint8_t* out);

 private:
  // What a chain walked without interruption.
  struct Piece {
    const std::uint8_t* bytes = nullptr;
    std::uint32_t count = 0;
    std::uint32_t next = 0;  // the piece after it
    std::uint32_t first_link = 0;
  };

  struct Chains {
    std::array<std::uint32_t, kChains> link{};   // the next byte and row, or the piece that was met
    std::array<std::size_t, kChains> piece{};    // that each walks
    std::array<std::uint32_t, kChains> begin{};  // the step at which it began
    std::size_t next_piece = 0;
    std::size_t ended_pieces = 0;
  };

  void link(const Bzip2Runs& runs);
  void walk(std::uint32_t first_row, std::uint8_t* out) const;
  void mark_pieces(std::uint32_t first_row);
  void begin_piece(Chains& chains, std::size_t chain, std::uint32_t step) const;
  void end_piece(Chains& chains, std::size_t chain, std::uint32_t step);
  bool walk_chains();

  std::uint32_t rows_ = 0;
  LargeArray<std::uint32_t> links_;         // per row: its first byte and, in the upper bits, the next row
  std::unique_ptr<std::uint8_t[]> walked_;  // by each chain
  std::vector<Piece> pieces_;
};

class Bzip2Decoder {
 public:
  enum class Outcome {
    kDone,
    kDamaged,
    kRandomized,  // randomized by bzip2 before 0.9.5: left to libbz2
  };

  Bzip2Decoder();

  // Decodes the block whose checksum, which follows its mark, begins at `first_bit` of `bytes`; its bits end before
  // `end_bit`, and are followed by BitReader::kSlackBytes bytes.
  Outcome decode(const char* bytes, std::uint64_t first_bit, std::uint64_t end_bit);

  std::uint32_t checksum() const { return head_.checksum; }  // as stored in the block
  std::uint64_t end_bit() const { return end_bit_; }         // after the last code of a decoded block
  // Of a decoded block. See RunExpansion.
  std::span<const std::uint8_t> packed() const { return {packed_.get(), runs_.bytes()}; }

 private:
  BlockHeader head_;
  Bzip2Runs runs_;
  InverseTransform transform_;
  std::unique_ptr<std::uint8_t[]> packed_;
  std::uint64_t end_bit_ = 0;
};

}  // namespace bertprep
