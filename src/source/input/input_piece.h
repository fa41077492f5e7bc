// InputPiece: a part of an input that can be read independently, so that many processes share the reading of a corpus.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace bertprep {

struct InputPiece {
  std::size_t input = 0;  // index of the user's input that it belongs to
  // Whole files in order, or the bytes [begin, end) of one file.
  std::vector<std::filesystem::path> files;
  std::uint64_t begin = 0;       // of the file as stored on disk
  std::uint64_t end = 0;         // after the last byte; 0, with `begin` 0: the whole file
  std::uint64_t first_line = 1;  // number of the line that begins at `begin`, in formats whose records are lines
  std::uint64_t bytes = 0;       // on disk

  bool is_range() const { return end != 0; }
  bool operator==(const InputPiece&) const = default;
};

}  // namespace bertprep
