// Finds the blocks of a bzip2 file by their marks: 48 bits, at any bit offset.
//
// The format marks a block by the digits of pi (0x314159265359) and the end of a stream by those of its square root
// (0x177245385090). Compressed data contain the same bits by chance about once in 35 TB.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/task_runner.h"

namespace bertprep {

inline constexpr int kBzip2MarkBits = 48;
inline constexpr std::uint64_t kBzip2BlockMark = 0x314159265359;
inline constexpr std::uint64_t kBzip2EndMark = 0x177245385090;

struct Bzip2Mark {
  std::uint64_t bit = 0;  // its first bit in the file
  bool is_end = false;    // of a stream; otherwise a block begins
  bool operator==(const Bzip2Mark&) const = default;
};

// How many bytes must follow a mark's first byte for the mark to be recognized.
inline constexpr std::size_t kBzip2MarkReach = 8;

// Appends the marks that begin in bytes [begin, end) of `bytes`, in order; `first_byte` is the file offset of bytes[0].
// Requires end + kBzip2MarkReach <= bytes.size().
void find_bzip2_marks(std::string_view bytes, std::size_t begin, std::size_t end, std::uint64_t first_byte,
                      std::vector<Bzip2Mark>& marks);

// Checks the checksums stored in a bzip2 file against each other, without decoding it.

// The stored checksum of each complete stream must follow from the stored checksums of its blocks. False also if marks
// are damaged. Reads the file once. Throws IoError.
bool bzip2_sums_agree(const std::filesystem::path& file, const TaskRunner& runner);

}  // namespace bertprep
