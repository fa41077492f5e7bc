// Arbitrary bytes as an assignment, with and without valid checksums: refused, or articles in existing shards, and the
// same bytes when written again.
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/base/error.h"
#include "fuzz/fuzz_targets.h"
#include "io/digest.h"
#include "io/input_file.h"
#include "pipeline/text_shards/shard_assignment.h"
#include "support/temp_folder.h"

namespace {

constexpr std::size_t kNumberBytes = 8;

std::uint64_t number_at(std::string_view bytes, std::size_t index) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes.data() + index * kNumberBytes, kNumberBytes);
  return number;
}

void put(std::string& bytes, std::size_t index, std::uint64_t number) {
  std::memcpy(bytes.data() + index * kNumberBytes, &number, kNumberBytes);
}

// The checksums of the head and of every piece, as src/pipeline/text_shards/shard_assignment.h describes them.
std::string with_checksums(std::string bytes) {
  if (bytes.size() < 3 * kNumberBytes) return bytes;
  const std::uint64_t shards = number_at(bytes, 0), pieces = number_at(bytes, 1), articles = number_at(bytes, 2);
  if (shards > bytes.size() || pieces > bytes.size() || articles > bytes.size()) return bytes;
  const std::size_t head = 3 + shards + pieces + 1;
  if (bytes.size() != (head + 1 + pieces) * kNumberBytes + articles * 12) return bytes;
  put(bytes, head, bertprep::checksum_of(std::string_view(bytes).substr(0, head * kNumberBytes)));
  const std::string_view offsets = std::string_view(bytes).substr((head + 1 + pieces) * kNumberBytes);
  for (std::uint64_t piece = 0; piece < pieces; ++piece) {
    const std::uint64_t begin = number_at(bytes, 3 + shards + piece), end = number_at(bytes, 4 + shards + piece);
    if (begin > end || end > articles) return bytes;
    const auto checksum = bertprep::checksum_of(offsets.substr(begin * 8, (end - begin) * 8));
    const std::string_view numbers = offsets.substr(articles * 8 + begin * 4, (end - begin) * 4);
    put(bytes, head + 1 + piece, bertprep::checksum_of(numbers, checksum));
  }
  return bytes;
}

void check_assignment(const std::string& bytes) {
  static const bertprep::test::TempFolder temp;
  const std::filesystem::path path = temp.write("placement.bin", bytes);
  bertprep::ArticlePlaces places;
  std::vector<std::uint64_t> firsts{0};
  try {
    const bertprep::AssignmentFile file(path);
    for (std::size_t shard = 0; shard < file.shards(); ++shard) places.shard_bytes.push_back(file.shard_bytes(shard));
    for (std::size_t piece = 0; piece < file.pieces(); ++piece) {
      for (const auto& place : file.places_of_piece(piece)) {
        require(place.shard < file.shards() && place.offset < file.shard_bytes(place.shard));
        places.shard.push_back(place.shard);
        places.offset.push_back(place.offset);
      }
      firsts.push_back(places.shard.size());
    }
  } catch (const bertprep::FormatError&) {
    return;
  }
  bertprep::write_assignment(temp / "again", places, firsts);
  require(bertprep::read_file(temp / "again") == bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  check_assignment(bytes);
  check_assignment(with_checksums(bytes));
  return 0;
}
