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

// Walks all pieces; false if a chain ran out of room.
bool InverseTransform::walk_chains(std::uint32_t first_row) {
  first_row_ = first_row;
  piece_rows_ = (rows_ + kPieces - 1) / kPieces;
  std::uint32_t* const links = links_.get();
  pieces_.assign((rows_ + piece_rows_ - 1) / piece_rows_ + 1, Piece{});
  for (std::uint32_t row = 0; row < rows_; row += piece_rows_) links[row] |= kBegins;
  links[first_row] |= kBegins;
  const auto row_of = [&](std::size_t piece) {
    return piece + 1 == pieces_.size() ? first_row : static_cast<std::uint32_t>(piece) * piece_rows_;
  };
  std::array<std::uint32_t, kChains> rows{};
  std::array<std::size_t, kChains> piece{};  // that each chain walks
  std::array<std::uint32_t, kChains> begin{};
  std::size_t next_piece = 0;
  std::uint8_t* const walked = walked_.get();
  // Ends the chain's piece before step `step` and begins another; returns its first link, or 0 if none is left.
  const auto change = [&](std::size_t chain, std::uint32_t step) -> std::uint32_t {
    if (step != 0)
      pieces_[piece[chain]] = {walked + chain * kChainBytes + begin[chain], step - begin[chain], rows[chain]};
    // The first row of the block may coincide with the first row of a piece.
    while (next_piece < pieces_.size() && next_piece + 1 != pieces_.size() && row_of(next_piece) == first_row)
      ++next_piece;
    if (next_piece == pieces_.size()) return kBegins;
    piece[chain] = next_piece;
    begin[chain] = step;
    return links[row_of(next_piece++)] & ~kBegins;
  };
  std::array<std::uint32_t, kChains> link;
  std::uint32_t step = 0;
  bool has_all = true;
  for (std::size_t chain = 0; chain < kChains; ++chain) link[chain] = change(chain, 0);
  while (has_all) {
    if (step == kChainBytes) return false;
#pragma GCC unroll 24
    for (std::size_t chain = 0; chain < kChains; ++chain) {
      walked[chain * kChainBytes + step] = static_cast<std::uint8_t>(link[chain]);
      rows[chain] = link[chain] >> 8U;
    }
    ++step;
    std::uint32_t met = 0;
#pragma GCC unroll 24
    for (std::size_t chain = 0; chain < kChains; ++chain) {
      link[chain] = links[rows[chain]];
      met |= link[chain];
    }
    if ((met & kBegins) == 0) [[likely]]
      continue;
    for (std::size_t chain = 0; chain < kChains; ++chain) {
      if ((link[chain] & kBegins) == 0) continue;
      link[chain] = change(chain, step);
      if ((link[chain] & kBegins) != 0) has_all = false;
    }
  }
  for (std::size_t chain = 0; chain < kChains; ++chain) {
    if ((link[chain] & kBegins) != 0) continue;
    std::uint32_t last = step;
    while ((link[chain] & kBegins) == 0) {
      if (last == kChainBytes) return false;
      walked[chain * kChainBytes + last++] = static_cast<std::uint8_t>(link[chain]);
      rows[chain] = link[chain] >> 8U;
      link[chain] = links[rows[chain]];
    }
    pieces_[piece[chain]] = {walked + chain * kChainBytes + begin[chain], last - begin[chain], rows[chain]};
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
