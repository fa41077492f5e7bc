// Which files of an input make a piece: large ones are cut, small ones are read together.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "source/input/input_list.h"
#include "source/input/input_piece.h"

namespace bertprep {

// Where a range of a file begins.
struct Cut {
  std::uint64_t byte = 0;
  std::uint64_t line = 1;  // its number
};

// The places inside a file at which it is cut, ascending; empty when it can't be cut. `pieces` is how many are wanted.
using CutFile =
    std::function<std::vector<Cut>(const std::filesystem::path& file, std::uint64_t file_bytes, std::uint64_t pieces)>;

// The i-th of `pieces` - 1 places that cut so many bytes evenly.
std::uint64_t even_cut(std::uint64_t file_bytes, std::uint64_t i, std::uint64_t pieces);

// Consecutive files of one input that have no more than `piece_bytes` together are a piece; a larger file is cut
// where `cut` says. Pieces are never of two inputs, and a last one that is tiny goes to the one before it. Throws
// IoError.
std::vector<InputPiece> group_files(std::span<const Input> inputs, std::uint64_t piece_bytes, const CutFile& cut);

}  // namespace bertprep
