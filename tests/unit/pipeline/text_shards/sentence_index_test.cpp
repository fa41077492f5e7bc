#include "pipeline/text_shards/sentence_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

using testing::ElementsAre;

class SentenceIndex : public testing::Test {
 protected:
  static IndexBlock split(std::string_view text, bool split_lines = false) {
    const auto splitter = make_sentence_splitter({.rules = split_lines ? SentenceRules::kLines : SentenceRules::kIcu});
    return BlockSplitter(*splitter, split_lines).split(text);
  }

  // The articles decoded from the block.
  static std::vector<std::vector<std::string>> read_back(std::string_view text, const IndexBlock& block) {
    const std::string bytes = encode(block);
    IndexReader reader(bytes);
    EXPECT_TRUE(reader.next());
    EXPECT_EQ(reader.text_bytes(), text.size());
    EXPECT_EQ(reader.articles(), block.articles.size());
    ListedArticles articles(reader.list(), text);
    std::vector<std::vector<std::string>> result;
    std::vector<std::string_view> sentences;
    while (articles.next(sentences)) result.emplace_back(sentences.begin(), sentences.end());
    EXPECT_FALSE(reader.next());
    return result;
  }
};

TEST_F(SentenceIndex, GivesBackTheSentencesOfEveryArticle) {
  const std::string text = "One came. Two went. \n\nThree stayed.\n \n";
  EXPECT_THAT(read_back(text, split(text)),
              ElementsAre(ElementsAre("One came.", "Two went."), ElementsAre("Three stayed.")));
}

TEST_F(SentenceIndex, SentencesEndAtMarks) {
  const std::string text = "Heading \x1e It came. It \x1e  \x1e went\nA \x1e B \n";
  EXPECT_THAT(read_back(text, split(text)),
              ElementsAre(ElementsAre("Heading", "It came.", "It", "went"), ElementsAre("A", "B")));
}

TEST_F(SentenceIndex, TakesLinesAsSentences) {
  const std::string text = "a. b\r\n  c\r\n\r\n\r\nd\n";
  EXPECT_THAT(read_back(text, split(text, true)), ElementsAre(ElementsAre("a. b", "c"), ElementsAre("d")));
}

TEST_F(SentenceIndex, KnowsTheSizesInATextShard) {
  const IndexBlock block = split("One came. Two went.\nThree stayed.\n");
  ASSERT_EQ(block.articles.size(), 2u);
  EXPECT_EQ(block.articles[0].sentences, 2u);
  EXPECT_EQ(block.articles[0].bytes, std::string("One came.\nTwo went.\n\n").size());
  const std::vector<ArticleSize> sizes = sizes_of_list(block.list, 2, block.text_bytes);
  EXPECT_EQ(sizes[0].bytes, block.articles[0].bytes);
  EXPECT_EQ(sizes[1].sentences, 1u);
}

TEST_F(SentenceIndex, HoldsLongSentences) {
  const std::string text = std::string(300'000, 'x') + ".\n";
  const auto articles = read_back(text, split(text));
  ASSERT_EQ(articles.size(), 1u);
  EXPECT_EQ(articles[0][0].size(), 300'001u);
}

TEST_F(SentenceIndex, OfNothingIsEmpty) {
  EXPECT_TRUE(read_back("", split("")).empty());
}

TEST_F(SentenceIndex, RefusesDamage) {
  const std::string text = "One came. Two went.\n";
  const std::string bytes = encode(split(text));
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    IndexReader reader(std::string_view(bytes).substr(0, size));
    EXPECT_THROW(reader.next(), FormatError) << size;
  }
  EXPECT_THROW(sizes_of_list("\x02\x01", 1, 100), FormatError);
}

// A count that no list of that length can hold, an article without sentences, and text beyond the block: both the sizes
// and the sentences are refused.
TEST_F(SentenceIndex, RefusesNumbersThatCannotBe) {
  using namespace std::string_view_literals;
  const std::string text = "short";
  std::vector<std::string_view> sentences;
  for (const std::string_view list : {"\x01\x00\x7f"sv, "\x00"sv, "\xff\xff\xff\xff\x7f\x00\x01"sv,
                                      "\x01\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"sv, "\x01\x06\x00"sv}) {
    EXPECT_THROW(sizes_of_list(list, 1, text.size()), FormatError);
    EXPECT_THROW(ListedArticles(list, text).next(sentences), FormatError);
  }
  EXPECT_EQ(sizes_of_list("\x01\x00\x05"sv, 1, text.size()).front().bytes, 7U);
}

}  // namespace
}  // namespace bertprep
