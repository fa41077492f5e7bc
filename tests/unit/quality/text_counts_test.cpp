#include "quality/text_counts.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

TEST(LengthCountsTest, CountsByPowersOfTwo) {
  LengthCounts counts;
  for (const std::uint64_t length : {0, 1, 2, 3, 4, 7, 8, 15, 16}) counts.add(length);
  EXPECT_EQ(counts.to_json().dump_line(), "[2,2,2,2,1]");
  counts.add(std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(counts.by_power()[63], 1U);
}

TEST(LengthCountsTest, IsTheSameReadAgainAndAdded) {
  LengthCounts all;
  LengthCounts parts[2];
  for (std::uint64_t i = 0; i < 1000; ++i) {
    all.add(i * i);
    parts[i % 2].add(i * i);
  }
  LengthCounts sum = LengthCounts::from_json(parts[0].to_json());
  sum.add(LengthCounts::from_json(parts[1].to_json()));
  EXPECT_EQ(sum.by_power(), all.by_power());
  EXPECT_EQ(LengthCounts().to_json().dump_line(), "[]");
}

TEST(LengthCountsTest, RefusesMoreThanThereAre) {
  Json json = Json::array();
  for (int i = 0; i < 65; ++i) json.push(Json::number(1));
  EXPECT_THROW(LengthCounts::from_json(json), FormatError);
}

Vocab small_vocab() {
  return Vocab::parse("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\nrain\n##s\n##ing\nit\n.\n", "small");
}

class TextCountsTest : public testing::Test {
 protected:
  void sentence(std::string_view text) {
    ids_.clear();
    tokenizer_.encode(text, ids_);
    counter_.add_sentence(text, ids_);
  }
  void article(std::initializer_list<std::string_view> sentences) {
    for (const std::string_view text : sentences) sentence(text);
    counter_.end_article();
  }

  const Vocab vocab_ = small_vocab();
  const TokenizerOptions options_{};
  Tokenizer tokenizer_{vocab_, options_};
  TextCounter counter_{vocab_, tokenizer_.clone(), options_};
  std::vector<TokenId> ids_;
};

TEST_F(TextCountsTest, CountsWordsPiecesAndUnknownWords) {
  article({"It rains.", "The raining snow, Snow!"});
  const TextCounts counts = counter_.take();
  EXPECT_EQ(counts.articles, 1U);
  EXPECT_EQ(counts.sentences, 2U);
  EXPECT_EQ(counts.words, 9U) << "it rains . the raining snow , snow !";
  EXPECT_EQ(counts.tokens, 11U);
  EXPECT_EQ(counts.unknown, 4U);
  EXPECT_EQ(counts.sentence_lengths.to_json().dump_line(), "[0,0,2]") << "4 and 7 tokens";
  EXPECT_EQ(counts.article_lengths.to_json().dump_line(), "[0,1]");
  EXPECT_EQ(counts.unknown_words.most_frequent(3), (std::vector<CountedWord>{{"snow", 2}, {"!", 1}, {",", 1}}));
}

TEST_F(TextCountsTest, SentencesWithoutATokenAreDroppedWithTheirArticle) {
  article({"\u200b", "It rains."});
  article({"\u200b"});
  counter_.end_article();
  const TextCounts counts = counter_.take();
  EXPECT_EQ(counts.articles, 1U);
  EXPECT_EQ(counts.sentences, 1U);
  EXPECT_EQ(counts.empty_sentences, 2U);
  EXPECT_EQ(counts.empty_articles, 1U);
}

TEST_F(TextCountsTest, RepeatedArticlesAndSentencesAreFoundInOtherShardsToo) {
  article({"It rains.", "The rain."});
  article({"The rain.", "It rains."});
  TextCounts all = counter_.take();
  EXPECT_EQ(all.article_digests.repeated(), 0U) << "the order of sentences counts";
  EXPECT_EQ(all.sentence_digests.repeated(), 2U);
  article({"It rains.", "The rain."});
  all.add(TextCounts::from_json(counter_.take().to_json()));
  EXPECT_EQ(all.article_digests.repeated(), 1U);
  EXPECT_EQ(all.sentence_digests.repeated(), 4U);
  EXPECT_EQ(all.sentences, 6U);
}

TEST_F(TextCountsTest, WhatIsSampledIsFoundInLongShards) {
  for (int i = 0; i < 20'000; ++i) article({i % 2 == 0 ? "It snowed and rains." : "It rains, and it rains."});
  const TextCounts counts = counter_.take();
  EXPECT_EQ(counts.sentences, 20'000U);
  EXPECT_EQ(counts.unknown_words.most_frequent(1).front().word, "and");
  EXPECT_EQ(counts.article_digests.repeated(), 19'998U);
  EXPECT_LT(counts.scripts.by_name.at("Latin").letters, 100'000U) << "a part of the sentences";
}

TEST_F(TextCountsTest, YourOwnTokenizerIsAskedOnce) {
  class Counting final : public SentenceTokenizer {
   public:
    std::string name() const override { return "counting"; }
    std::string version() const override { return "1"; }
    void encode(std::string_view, std::vector<TokenId>& ids) const override {
      ++calls;
      ids.push_back(1);
    }
    mutable int calls = 0;
  };
  const auto custom = std::make_shared<Counting>();
  const TokenizerOptions options{.lower_case = true, .custom = custom};
  TextCounter counter(vocab_, Tokenizer(vocab_, options), options);
  const std::vector<TokenId> unknown = {1};
  counter.add_sentence("snow", unknown);
  counter.end_article();
  const TextCounts counts = counter.take();
  EXPECT_EQ(custom->calls, 0);
  EXPECT_EQ(counts.unknown, 1U);
  EXPECT_EQ(counts.words, 0U) << "what a word is, only the tokenizer knows";
}

}  // namespace

}  // namespace bertprep
