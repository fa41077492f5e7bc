#include "stream/open_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "bertprep/base/error.h"
#include "support/packed.h"
#include "support/stream_bytes.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

class OpenStreamTest : public testing::Test {
 protected:
  std::string read(const std::string& bytes) { return test::bytes_of(*open_stream(folder_.write("x.txt", bytes))); }
  test::TempFolder folder_;
};

std::string long_text() {
  std::string text;
  for (int i = 0; i < 60'000; ++i) text += std::to_string(i) + "\n";
  return text;
}

TEST_F(OpenStreamTest, GivesAnyOtherFileAsItIs) {
  for (const std::string& bytes : {std::string(), std::string("a"), std::string("BZh9"), std::string(3, '\0'),
                                   long_text(), std::string(std::size_t{1} << 18, 'x')}) {
    EXPECT_EQ(read(bytes), bytes);
  }
}

TEST_F(OpenStreamTest, TellsTheCompressionByContent) {
  for (const char* filter : {"gzip", "bzip2", "zstd", "xz"}) {
    for (const std::string& text : {std::string("a"), std::string(), long_text()}) {
      EXPECT_EQ(read(test::compress(filter, text)), text) << filter;
      EXPECT_EQ(read(test::compress(filter, text) + test::compress(filter, "more")), text + "more") << filter;
    }
  }
}

TEST_F(OpenStreamTest, RefusesPlainBytesUnderTheNameOfCompressedOnes) {
  for (const char* name : {"a.gz", "a.jsonl.BZ2", "x.zip:a.zst", "a.xz"}) {
    EXPECT_THROW(refuse_misnamed(name, "plain\n"), FormatError) << name;
    EXPECT_NO_THROW(refuse_misnamed(name, test::compress("gzip", "a")));
    EXPECT_NO_THROW(refuse_misnamed(name, test::pack("none", "ustar", {{"a", "b"}})));
    EXPECT_NO_THROW(refuse_misnamed(name, "")) << "there is no text in it either";
  }
  EXPECT_NO_THROW(refuse_misnamed("gz", "plain\n"));
}

TEST_F(OpenStreamTest, DecompressesOnce) {
  const std::string inner = test::compress("gzip", "a");
  EXPECT_EQ(read(test::compress("gzip", inner)), inner);
}

TEST_F(OpenStreamTest, DecompressesOtherStreams) {
  for (const char* filter : {"gzip", "bzip2", "zstd", "xz"}) {
    const std::string packed = test::compress(filter, long_text());
    const auto stream = decompress("x", std::make_unique<test::BlockStream>(packed, 999));
    EXPECT_EQ(test::bytes_of(*stream), long_text()) << filter;
  }
  EXPECT_EQ(test::bytes_of(*decompress("x", std::make_unique<test::BlockStream>("plain", 2))), "plain");
}

TEST_F(OpenStreamTest, ATruncatedFileFailsAfterAllThatCouldBeRead) {
  for (const char* filter : {"gzip", "bzip2", "zstd", "xz"}) {
    const std::string text = long_text();
    const std::string packed = test::compress(filter, text);
    const auto path = folder_.write("cut", packed.substr(0, packed.size() - 20));
    const auto part = test::read_as_far_as_possible(*open_stream(path));
    EXPECT_TRUE(text.starts_with(part.bytes)) << filter;
    ASSERT_TRUE(part.damage) << filter;
    EXPECT_TRUE(part.damage->where().starts_with(path.string())) << part.damage->what();
    EXPECT_NE(std::string(part.damage->what()).find("get the "), std::string::npos) << part.damage->what();
  }
}

TEST_F(OpenStreamTest, AFileThatBecomesShorterFails) {
  const auto path = folder_.write("x.txt", std::string(3'000'000, 'a'));
  const auto stream = open_stream(path);
  EXPECT_FALSE(stream->next_block().empty());
  std::filesystem::resize_file(path, 1'000'000);
  try {
    test::bytes_of(*stream);
    ADD_FAILURE() << "the rest was lost";
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("x.txt: became shorter while it was read; give the command again"));
  }
}

TEST_F(OpenStreamTest, NamesAMissingFileAndAFolder) {
  EXPECT_THROW(open_stream(folder_ / "absent"), IoError);
  EXPECT_THROW(open_stream(folder_.path()), IoError);
}

// Nothing was read before the damage was found.
TEST_F(OpenStreamTest, NamesNoByteWhereNoneIsKnown) {
  try {
    test::bytes_of(*open_stream(folder_.write("x.xz", std::string("\xFD"
                                                                  "7zXZ\0",
                                                                  6))));
    ADD_FAILURE() << "it is whole";
  } catch (const FormatError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("the archive is damaged or of a kind"));
  }
}

}  // namespace
}  // namespace bertprep
