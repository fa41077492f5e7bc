// InputPiece: a part of an input that can be read on its own, so that many processes share the reading of a corpus.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace bertprep {

struct InputPiece {
  std::size_t input = 0;  // which of the inputs that the user gave it is of
  // Whole files in their order; or one file of which the bytes [begin, end) are read.
  std::vector<std::filesystem::path> files;
  std::uint64_t begin = 0;       // of the file as it lies on disk
  std::uint64_t end = 0;         // behind the last byte; with `begin` 0: all of it
  std::uint64_t first_line = 1;  // number of the line that begins at `begin`, in formats whose records are lines
  std::uint64_t bytes = 0;       // on disk

  bool is_range() const { return end != 0; }
  bool operator==(const InputPiece&) const = default;
};

}  // namespace bertprep
