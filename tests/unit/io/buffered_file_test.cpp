#include "io/output_file.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "support/golden_data.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

std::vector<std::byte> varied_bytes(std::size_t size) {
  std::vector<std::byte> bytes(size);
  std::uint32_t state = 1;
  for (std::byte& byte : bytes) {
    state = state * 1664525U + 1013904223U;
    byte = static_cast<std::byte>(state >> 24U);
  }
  return bytes;
}

std::string text_of(std::span<const std::byte> bytes) {
  return {static_cast<const char*>(static_cast<const void*>(bytes.data())), bytes.size()};
}

constexpr std::size_t kMax = BufferedFile::kMaxBufferBytes;

TEST(BufferedFile, HoldsBytesAppendedAfterItsFront) {
  const test::TempFolder temp;
  std::vector<std::byte> buffer;
  const auto front = varied_bytes(16);
  for (const std::size_t size : {std::size_t{0}, std::size_t{1000}, kMax - 16, kMax - 15, 2 * kMax + 7}) {
    const auto bytes = varied_bytes(size);
    BufferedFile file(temp / "a", front.size(), buffer);
    for (std::size_t at = 0; at < size; at += 300000) {
      file.append(std::span(bytes).subspan(at, std::min(size - at, std::size_t{300000})));
    }
    EXPECT_EQ(file.size_bytes(), size + front.size());
    file.finish(front);
    EXPECT_EQ(test::read_bytes(temp / "a"), text_of(front) + text_of(bytes)) << size;
    const std::string digest = file.sha256();
    EXPECT_EQ(file.size_bytes(), size + front.size());
    EXPECT_EQ(digest, sha256_of_file(temp / "a")) << size;
  }
}

TEST(BufferedFile, NamesTheFileThatCannotBeMade) {
  const test::TempFolder temp;
  std::vector<std::byte> buffer;
  try {
    BufferedFile file(temp / "nowhere" / "a", 0, buffer);
    FAIL();
  } catch (const IoError& error) {
    EXPECT_EQ(error.where(), (temp / "nowhere" / "a").string());
  }
}

TEST(BufferedFile, ReportsAFullDisk) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "skipped: no /dev/full";
  std::vector<std::byte> buffer;
  BufferedFile file("/dev/full", 8, buffer);
  file.append(varied_bytes(100));
  EXPECT_THROW(file.finish(varied_bytes(8)), IoError);
}

}  // namespace
}  // namespace bertprep
