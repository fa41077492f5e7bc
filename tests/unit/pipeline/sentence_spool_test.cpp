#include "pipeline/sentence_spool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bertprep/base/error.h"
#include "pipeline/input_digest.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

using test::TempFolder;

class Spool : public testing::Test {
 protected:
  SentenceSpool spool(std::string_view text, bool split_lines = false) {
    const std::vector<std::filesystem::path> files = {temp_.write("in.txt", text)};
    const auto splitter = make_sentence_splitter({.sentences = split_lines ? "lines" : "icu"});
    return SentenceSpool(files, split_lines, *splitter, temp_ / "spool", 2, progress_);
  }

  TempFolder temp_;
  Progress progress_;
};

TEST_F(Spool, HoldsASentenceALineAndAnEmptyLine) {
  const SentenceSpool result = spool("One came. Two went.\n\nThree stayed.");
  EXPECT_THAT(result.sentences_per_article(), testing::ElementsAre(2, 1));
  EXPECT_EQ(result.article(0), "One came.\nTwo went.\n\n");
  EXPECT_EQ(result.article(1), "Three stayed.\n\n");
  EXPECT_EQ(result.sentences(), 3u);
}

TEST_F(Spool, TakesLinesAsSentences) {
  const SentenceSpool result = spool("a. b\r\n  c\r\n\r\n\r\nd\n", true);
  EXPECT_THAT(result.sentences_per_article(), testing::ElementsAre(2, 1));
  EXPECT_EQ(result.article(0), "a. b\nc\n\n");
}

TEST_F(Spool, KeepsTheOrderOverManyBlocks) {
  std::string text;
  for (int i = 0; i < 60000; ++i) text += "Article number " + std::to_string(i) + " is here.\n";
  const SentenceSpool result = spool(text);
  ASSERT_EQ(result.sentences_per_article().size(), 60000u);
  for (std::size_t i = 0; i < 60000; i += 997) {
    EXPECT_EQ(result.article(i), "Article number " + std::to_string(i) + " is here.\n\n");
  }
}

TEST_F(Spool, DigestsItsInputAsTheFilesAreDigested) {
  std::string large;
  for (int i = 0; i < 60000; ++i) large += "Article number " + std::to_string(i) + " is here.\n";
  const std::vector<std::filesystem::path> files = {temp_.write("a", large), temp_.write("b", ""),
                                                    temp_.write("c", "No end of line."), temp_.write("d", "")};
  const auto splitter = make_sentence_splitter({.sentences = "icu"});
  const SentenceSpool result(files, false, *splitter, temp_ / "spool", 2, progress_);
  EXPECT_EQ(result.input_sha256(), digest_files(files).sha256);
}

TEST_F(Spool, NamesLineAndByteOfInvalidText) {
  std::string text;
  for (int i = 0; i < 60000; ++i) text += "Article number " + std::to_string(i) + " is here.\n";
  const std::size_t offset = text.size() + 4;
  text += "half\xff\n";
  try {
    spool(text);
    FAIL();
  } catch (const FormatError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("in.txt:60001"));
    EXPECT_THAT(error.what(), testing::HasSubstr(std::to_string(offset)));
  }
}

}  // namespace
}  // namespace bertprep
