#include "stream/bzip2/inverse_transform.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/clones.h"

namespace bertprep {
namespace {

constexpr std::uint32_t kBegins = std::uint32_t{1} << 31U;  // in a link: a piece begins at this row
constexpr std::uint32_t kPieces = 2048;
constexpr std::uint32_t kMinRowsForChains = 50'000;  // one chain suffices: the links fit into the cache
// Chains take new pieces until none is left, so they get about equally far; otherwise a single chain walks all.
constexpr std::size_t kChainBytes = kMaxBzip2BlockBytes / InverseTransform::kChains + 25'160;
constexpr std::size_t kLinksAtOnce = 4;

}  // namespace

InverseTransform::InverseTransform()
    : links_(std::make_unique_for_overwrite<std::uint32_t[]>(kMaxBzip2BlockBytes + kLinksAtOnce)),
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

void InverseTransform::walk(std::uint32_t first_row, std::uint8_t* out, std::size_t count) const {
  std::uint32_t row = first_row;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t link = links_[row] & ~kBegins;
    out[i] = static_cast<std::uint8_t>(link);
    row = link >> 8U;
  }
}

std::size_t InverseTransform::piece_of(std::uint32_t row) const {
  return row == first_row_ ? pieces_.size() - 1 : row / piece_rows_;
}

// Divides the block into pieces, the last of which begins with the block.
void InverseTransform::mark_pieces(std::uint32_t first_row) {
  first_row_ = first_row;
  piece_rows_ = (rows_ + kPieces - 1) / kPieces;
  pieces_.assign((rows_ + piece_rows_ - 1) / piece_rows_ + 1, Piece{});
  for (std::uint32_t row = 0; row < rows_; row += piece_rows_) links_[row] |= kBegins;
  links_[first_row] |= kBegins;
}

// Gives the chain the next piece at `step`, or kBegins for its link if none is left.
void InverseTransform::begin_piece(Chains& chains, std::size_t chain, std::uint32_t step) const {
  const auto row_of = [&](std::size_t piece) { return static_cast<std::uint32_t>(piece) * piece_rows_; };
  const std::size_t last = pieces_.size() - 1;
  if (chains.next_piece < last && row_of(chains.next_piece) == first_row_) ++chains.next_piece;
  if (chains.next_piece > last) {
    chains.link[chain] = kBegins;
    return;
  }
  const std::size_t piece = chains.next_piece++;
  chains.piece[chain] = piece;
  chains.begin[chain] = step;
  chains.link[chain] = links_[piece == last ? first_row_ : row_of(piece)] & ~kBegins;
}

void InverseTransform::end_piece(const Chains& chains, std::size_t chain, std::uint32_t step) {
  const std::uint32_t begin = chains.begin[chain];
  pieces_[chains.piece[chain]] = {walked_.get() + chain * kChainBytes + begin, step - begin, chains.row[chain]};
}

// Walks until a chain has no piece left, or no room; returns the step.
std::uint32_t InverseTransform::walk_together(Chains& chains) {
  const std::uint32_t* const links = links_.get();
  std::uint8_t* const walked = walked_.get();
  bool has_all = true;
  std::uint32_t step = 0;
  while (has_all && step < kChainBytes) {
#pragma GCC unroll 24
    for (std::size_t chain = 0; chain < kChains; ++chain) {
      walked[chain * kChainBytes + step] = static_cast<std::uint8_t>(chains.link[chain]);
      chains.row[chain] = chains.link[chain] >> 8U;
    }
    ++step;
    std::uint32_t met = 0;
#pragma GCC unroll 24
    for (std::size_t chain = 0; chain < kChains; ++chain) {
      chains.link[chain] = links[chains.row[chain]];
      met |= chains.link[chain];
    }
    if ((met & kBegins) == 0) [[likely]]
      continue;
    for (std::size_t chain = 0; chain < kChains; ++chain) {
      if ((chains.link[chain] & kBegins) == 0) continue;
      end_piece(chains, chain, step);
      begin_piece(chains, chain, step);
      has_all = has_all && (chains.link[chain] & kBegins) == 0;
    }
  }
  return step;
}

// Walks the rest of the chain's piece, if it has one; false if the chain runs out of room.
bool InverseTransform::finish_chain(Chains& chains, std::size_t chain, std::uint32_t step) {
  if ((chains.link[chain] & kBegins) != 0) return true;
  for (; (chains.link[chain] & kBegins) == 0; ++step) {
    if (step == kChainBytes) return false;
    walked_[chain * kChainBytes + step] = static_cast<std::uint8_t>(chains.link[chain]);
    chains.row[chain] = chains.link[chain] >> 8U;
    chains.link[chain] = links_[chains.row[chain]];
  }
  end_piece(chains, chain, step);
  return true;
}

// Walks all pieces; false if a chain runs out of room.
bool InverseTransform::walk_chains(std::uint32_t first_row) {
  mark_pieces(first_row);
  Chains chains;
  for (std::size_t chain = 0; chain < kChains; ++chain) begin_piece(chains, chain, 0);
  const std::uint32_t step = walk_together(chains);
  for (std::size_t chain = 0; chain < kChains; ++chain) {
    if (!finish_chain(chains, chain, step)) return false;
  }
  return true;
}

void InverseTransform::run(const Bzip2Runs& runs, std::uint32_t first_row, std::uint8_t* out) {
  link(runs);
  if (rows_ < kMinRowsForChains || !walk_chains(first_row)) return walk(first_row, out, rows_);
  // The permutation of a block that repeats itself is several cycles, of which one is the block.
  std::size_t piece = pieces_.size() - 1;
  for (std::size_t done = 0; done < rows_;) {
    const Piece& next = pieces_[piece];
    const std::size_t count = std::min<std::size_t>(next.count, rows_ - done);
    std::memcpy(out + done, next.bytes, count);
    done += count;
    piece = piece_of(next.next_row);
  }
}

}  // namespace bertprep
