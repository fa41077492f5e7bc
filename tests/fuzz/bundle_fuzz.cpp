// Arbitrary bytes as a bundle, with and without valid checksums: refused, or articles within the text shard, and no
// other bytes of it.
//
// The first byte is the number of shards, the second times 16 the bytes of a text shard.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "pipeline/array/bundle.h"
#include "support/temp_folder.h"

namespace {

constexpr std::size_t kOffsetBytes = 8;

std::uint64_t offset_at(std::string_view bytes, std::size_t index) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes.data() + index * kOffsetBytes, kOffsetBytes);
  return number;
}

std::string with_section_checksums(std::string bytes, std::size_t shards) {
  if (bytes.size() < (2 * shards + 1) * kOffsetBytes) return bytes;
  for (std::size_t shard = 0; shard < shards; ++shard) {
    const std::uint64_t begin = offset_at(bytes, shard), end = offset_at(bytes, shard + 1);
    if (begin > end || end > bytes.size()) continue;
    const std::uint64_t checksum = bertprep::checksum_of(std::string_view(bytes).substr(begin, end - begin), shard);
    std::memcpy(bytes.data() + (shards + 1 + shard) * kOffsetBytes, &checksum, kOffsetBytes);
  }
  return bytes;
}

void check_bundle(const std::string& bytes, std::size_t shards, std::size_t text_bytes) {
  static const bertprep::test::TempFolder temp;
  const std::filesystem::path path = temp.write("piece.bundle", bytes);
  for (std::size_t shard = 0; shard < shards; ++shard) {
    std::string text(text_bytes, '\0');
    std::uint64_t copied = 0;
    try {
      copied = bertprep::copy_section(path, shard, shards, text);
    } catch (const bertprep::FormatError&) {
      continue;
    }
    const auto touched =
        static_cast<std::uint64_t>(std::count_if(text.begin(), text.end(), [](char c) { return c != '\0'; }));
    if (copied > bytes.size() || touched > copied) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::size_t shards = data[0], text_bytes = std::size_t{data[1]} * 16;
  const std::string bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  check_bundle(bytes, shards, text_bytes);
  check_bundle(with_section_checksums(bytes, shards), shards, text_bytes);
  return 0;
}
