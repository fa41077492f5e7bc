// Groups the files of an input into pieces: large files are split, small ones are combined.
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

// The positions at which to split a file, ascending; empty if it can't be split. `pieces` is the number wanted.
using CutFile =
    std::function<std::vector<Cut>(const std::filesystem::path& file, std::uint64_t file_bytes, std::uint64_t pieces)>;

// The i-th of the `pieces` - 1 positions that split `file_bytes` evenly.
std::uint64_t even_cut(std::uint64_t file_bytes, std::uint64_t i, std::uint64_t pieces);

// Consecutive files of one input make a piece of at most `piece_bytes`; `cut` splits a larger file. A piece belongs to
// a single input, and a tiny last one is added to the previous one. Throws IoError.
std::vector<InputPiece> group_files(std::span<const Input> inputs, std::uint64_t piece_bytes, const CutFile& cut);

}  // namespace bertprep
