#include "stream/bzip2_sums.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/task_runner.h"
#include "io/input_file.h"
#include "stream/bzip2_scan.h"

namespace bertprep {
namespace {

constexpr std::uint64_t kChunkBytes = std::uint64_t{16} << 20U;
// A mark at any bit of the last byte of a chunk, and the checksum behind it.
constexpr std::uint64_t kReachBytes = 16;

struct Sum {
  bool is_end = false;
  std::uint32_t value = 0;
};

std::uint32_t sum_behind(std::string_view bytes, const Bzip2Mark& mark) {
  const std::uint64_t bit = mark.bit + kBzip2MarkBits;
  std::uint64_t value = 0;
  for (std::uint64_t i = bit / 8; i < bit / 8 + 5; ++i)
    value = value << 8U | static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
  return static_cast<std::uint32_t>(value >> (8 - bit % 8));
}

std::vector<Sum> sums_in(const std::filesystem::path& file, std::uint64_t begin) {
  InputFile input(file);
  if (begin != 0) input.seek(begin);
  std::string bytes(kChunkBytes + kReachBytes, '\0');
  const std::size_t count = input.read(std::span(bytes));
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(count), bytes.end(), '\0');
  std::vector<Bzip2Mark> marks;
  find_bzip2_marks(bytes, 0, std::min<std::size_t>(count, kChunkBytes), 0, marks);
  std::vector<Sum> sums;
  for (const Bzip2Mark& mark : marks) sums.push_back({mark.is_end, sum_behind(bytes, mark)});
  return sums;
}

}  // namespace

bool bzip2_sums_agree(const std::filesystem::path& file, const TaskRunner& runner) {
  const std::uint64_t chunks = (InputFile(file).size_bytes() + kChunkBytes - 1) / kChunkBytes;
  std::vector<std::vector<Sum>> sums(static_cast<std::size_t>(chunks));
  runner.run(sums.size(), [&](std::size_t i) { sums[i] = sums_in(file, i * kChunkBytes); });
  std::uint32_t stream = 0;
  for (const std::vector<Sum>& chunk : sums) {
    for (const Sum& sum : chunk) {
      if (!sum.is_end) {
        stream = std::rotl(stream, 1) ^ sum.value;
      } else if (std::exchange(stream, 0) != sum.value) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace bertprep
