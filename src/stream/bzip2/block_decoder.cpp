#include "stream/bzip2/block_decoder.h"

#include <algorithm>
#include <cstring>

#include "base/clones.h"
#include "stream/bzip2/recent_bytes.h"

namespace bertprep {
namespace {

// One per byte, one before the first, and those that long ones are split into.
constexpr std::size_t kMaxRuns = kMaxBzip2BlockBytes + 1 + kMaxBzip2BlockBytes / 255;
// A run of more digits is longer than any block.
constexpr unsigned kMaxDigits = 20;

// In place of the link of the row where a piece begins: with the number of the piece.
constexpr std::uint32_t kBegins = std::uint32_t{1} << 31U;
constexpr std::uint32_t kPieces = 2048;
// Chains take new pieces until none is left, so they get about equally far; otherwise a single chain walks all.
constexpr std::size_t kChainBytes = kMaxBzip2BlockBytes / InverseTransform::kChains + 25'160;
constexpr std::size_t kLinksAtOnce = 4;

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

InverseTransform::InverseTransform()
    : links_(kMaxBzip2BlockBytes + kLinksAtOnce),
      walked_(std::make_unique_for_overwrite<std::uint8_t[]>(kChains * kChainBytes)) {}

BERTPREP_CLONES
void InverseTransform::link(const Bzip2Runs& runs) {
  std::array<std::uint32_t, 256> next{};  // the next row that begins with this byte
  std::array<std::uint32_t, 256> end{};
  std::uint32_t row = 0;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    next[byte] = row;
    row += runs.counts()[byte];
    end[byte] = row;
  }
  row = 0;
  for (const Bzip2Run& run : runs.runs()) {
    const std::uint32_t at = next[run.byte];
    next[run.byte] = at + run.count;
    const std::uint32_t first = row << 8U | run.byte;
    std::uint32_t* out = links_.get() + at;
    row += run.count;
    if (at + kLinksAtOnce <= end[run.byte]) {
      for (std::uint32_t i = 0; i < kLinksAtOnce; ++i) out[i] = first + (i << 8U);
      for (std::uint32_t i = kLinksAtOnce; i < run.count; ++i) out[i] = first + (i << 8U);
    } else {
      for (std::uint32_t i = 0; i < run.count; ++i) out[i] = first + (i << 8U);
    }
  }
  rows_ = row;
}

void InverseTransform::walk(std::uint32_t first_row, std::uint8_t* out) const {
  std::uint32_t row = first_row;
  for (std::uint32_t i = 0; i < rows_; ++i) {
    std::uint32_t link = links_[row];
    if ((link & kBegins) != 0) link = pieces_[link & ~kBegins].first_link;
    out[i] = static_cast<std::uint8_t>(link);
    row = link >> 8U;
  }
}

// Divides the block into pieces, the last of which begins with the block.
void InverseTransform::mark_pieces(std::uint32_t first_row) {
  pieces_.clear();
  const auto mark = [&](std::uint32_t row) {
    Piece piece;
    piece.first_link = links_[row];
    links_[row] = kBegins | static_cast<std::uint32_t>(pieces_.size());
    pieces_.push_back(piece);
  };
  const std::uint32_t distance = (rows_ + kPieces - 1) / kPieces;
  for (std::uint32_t row = 0; row < rows_; row += distance) {
    if (row != first_row) mark(row);
  }
  mark(first_row);
}

// Gives the chain the next piece at `step`, if there is one.
void InverseTransform::begin_piece(Chains& chains, std::size_t chain, std::uint32_t step) const {
  if (chains.next_piece == pieces_.size()) {
    chains.link[chain] = links_[rows_];
    return;
  }
  chains.piece[chain] = chains.next_piece++;
  chains.begin[chain] = step;
  chains.link[chain] = pieces_[chains.piece[chain]].first_link;
}

// The chain has met the piece after its own.
void InverseTransform::end_piece(Chains& chains, std::size_t chain, std::uint32_t step) {
  Piece& piece = pieces_[chains.piece[chain]];
  piece.bytes = walked_.get() + chain * kChainBytes + chains.begin[chain];
  piece.count = step - chains.begin[chain];
  piece.next = chains.link[chain] & ~kBegins;
  ++chains.ended_pieces;
}

// Walks all pieces; false if a chain runs out of room.
bool InverseTransform::walk_chains() {
  const std::uint32_t* const links = links_.get();
  std::uint8_t* const walked = walked_.get();
  links_[rows_] = rows_ << 8U;  // where chains without a piece wait
  Chains chains;
  for (std::size_t chain = 0; chain < kChains; ++chain) begin_piece(chains, chain, 0);
  for (std::uint32_t step = 0; step < kChainBytes;) {
    std::uint32_t met = 0;
#pragma GCC unroll 32
    for (std::size_t chain = 0; chain < kChains; ++chain) {
      const std::uint32_t link = chains.link[chain];
      walked[chain * kChainBytes + step] = static_cast<std::uint8_t>(link);
      const std::uint32_t next = links[link >> 8U];
      chains.link[chain] = next;
      met |= next;
    }
    ++step;
    if ((met & kBegins) == 0) [[likely]]
      continue;
    for (std::size_t chain = 0; chain < kChains; ++chain) {
      if ((chains.link[chain] & kBegins) == 0) continue;
      end_piece(chains, chain, step);
      begin_piece(chains, chain, step);
    }
    if (chains.ended_pieces == pieces_.size()) return true;
  }
  return false;
}

void InverseTransform::run(const Bzip2Runs& runs, std::uint32_t first_row, std::uint8_t* out) {
  link(runs);
  mark_pieces(first_row);
  if (!walk_chains()) return walk(first_row, out);
  // The permutation of a block that repeats itself is several cycles, of which one is the block.
  std::size_t piece = pieces_.size() - 1;
  for (std::size_t done = 0; done < rows_;) {
    const Piece& next = pieces_[piece];
    const std::size_t count = std::min<std::size_t>(next.count, rows_ - done);
    std::memcpy(out + done, next.bytes, count);
    done += count;
    piece = next.next;
  }
}

Bzip2Decoder::Bzip2Decoder() : packed_(std::make_unique_for_overwrite<std::uint8_t[]>(kMaxBzip2BlockBytes)) {}

Bzip2Decoder::Outcome Bzip2Decoder::decode(const char* bytes, std::uint64_t first_bit, std::uint64_t end_bit) {
  BitReader bits(bytes, first_bit);
  if (!head_.read(bits, end_bit) || !runs_.read(head_, bits, end_bit)) return Outcome::kDamaged;
  if (head_.first_row >= runs_.bytes()) return Outcome::kDamaged;
  if (head_.is_randomized) return Outcome::kRandomized;
  end_bit_ = bits.position();
  transform_.run(runs_, head_.first_row, packed_.get());
  return Outcome::kDone;
}

}  // namespace bertprep
