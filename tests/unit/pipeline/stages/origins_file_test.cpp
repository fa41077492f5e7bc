#include "pipeline/stages/origins_file.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "support/read_text.h"
#include "support/temp_folder.h"

namespace bertprep::test {
namespace {

std::string line(std::uint64_t article) {
  return "{\"title\":\"" + std::to_string(article) + "\"}";
}

class OriginsFileTest : public testing::Test {
 protected:
  // Frames of 1, 2, 3 ... articles.
  std::string frames(std::uint64_t articles) {
    std::string bytes;
    std::uint64_t article = 0;
    for (std::uint64_t size = 1; article < articles; ++size) {
      std::string lines;
      const std::uint64_t end = std::min(article + size, articles);
      const std::uint64_t begin = article;
      for (; article < end; ++article) lines += line(article) + "\n";
      append_origins_frame(lines, end - begin, bytes);
    }
    return bytes;
  }

  TempFolder temp_;
};

TEST_F(OriginsFileTest, AreNamedAndCompressedLikeTheFormattedFile) {
  EXPECT_EQ(origins_name("x.txt"), "x.txt.origins.jsonl");
  EXPECT_EQ(origins_name("x.txt.zst"), "x.txt.zst.origins.jsonl.zst");
}

TEST_F(OriginsFileTest, GiveEveryLine) {
  std::string plain;
  for (std::uint64_t article = 0; article < 50; ++article) plain += line(article) + "\n";
  temp_.write("a.txt.origins.jsonl", plain);
  temp_.write("b.txt.zst.origins.jsonl.zst", frames(50));
  temp_.write("c.txt.zst.origins.jsonl", plain);  // as written by earlier versions
  for (const char* formatted : {"a.txt", "b.txt.zst", "c.txt.zst"}) {
    const auto origins = OriginsFile::beside(temp_ / formatted);
    ASSERT_TRUE(origins) << formatted;
    EXPECT_EQ(origins->articles(), 50U);
    for (std::uint64_t article = 0; article < 50; ++article) EXPECT_EQ(origins->line(article), line(article));
  }
  EXPECT_FALSE(OriginsFile::beside(temp_ / "d.txt"));
  EXPECT_EQ(read_text(temp_ / "b.txt.zst.origins.jsonl.zst"), plain);  // any zstd reads it
}

// Pieces of an array job are concatenated.
TEST_F(OriginsFileTest, FilesInARowAreOne) {
  const std::string bytes = frames(6);
  const OriginsFile origins(temp_.write("o.zst", bytes + bytes));
  EXPECT_EQ(origins.articles(), 12U);
  EXPECT_EQ(origins.line(6), line(0));
  EXPECT_EQ(origins.line(11), line(5));
}

TEST_F(OriginsFileTest, DamageIsRefused) {
  const std::string bytes = frames(6);
  int refused = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x11);
    try {
      const OriginsFile origins(temp_.write("o.zst", damaged));
      for (std::uint64_t article = 0; article < std::min<std::uint64_t>(origins.articles(), 9); ++article) {
        origins.line(article);
      }
    } catch (const FormatError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 40);
  EXPECT_THROW(OriginsFile(temp_.write("o.zst", bytes.substr(0, bytes.size() - 1))), FormatError);
}

}  // namespace
}  // namespace bertprep::test
