#include "base/number_text.h"
#include "quality/data_counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bertprep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint64_t kSeqLen = 128;

TextCounts valid_text(std::uint64_t articles = 20) {
  TextCounts text;
  text.articles = articles;
  text.sentences = 50 * articles;
  text.tokens = 1300 * articles;
  text.words = 1000 * articles;
  for (std::uint64_t i = 0; i < articles; ++i) text.article_digests.add(1'000'003 * (i + 1));
  for (std::uint64_t i = 0; i < text.sentences; ++i) text.sentence_digests.add(7'654'321 * (i + 1));
  text.scripts.by_name["Latin"] = {.letters = 5000 * articles};
  return text;
}

RowCounts valid_rows(std::uint64_t rows = 1000) {
  return {.rows = rows,
          .tokens = 120 * rows,
          .random_next = rows / 2,
          .masked_as_mask = 144 * rows / 10,
          .masked_as_same = 18 * rows / 10,
          .masked_as_random = 18 * rows / 10};
}

struct Corpus {
  TextCounts text = valid_text();
  RowCounts rows = valid_rows();
  DataTargets targets{.seq_len = kSeqLen, .max_predictions = 20, .masked_lm_prob = 0.15};
  ReasonCounts rejected{};
  std::optional<std::uint64_t> cut_tokens{};
  int training_shards = 9;

  std::vector<DataWarning> warnings() const {
    DataCounts counts;
    for (int i = 0; i < training_shards; ++i) {
      counts.add_shard("x_training_" + std::to_string(i) + ".hdf5",
                       shard_counts_json(text.to_json(), rows, cut_tokens));
    }
    counts.add_shard("x_test_0.hdf5", shard_counts_json(valid_text().to_json(), valid_rows()));
    counts.set_dropped({}, rejected);
    return warnings_of(counts, targets);
  }
  std::vector<std::string> abouts() const {
    std::vector<std::string> names;
    for (const DataWarning& warning : warnings()) names.push_back(warning.about);
    return names;
  }
};

// The same text in several shards counts as repeated; this is not tested here.
Corpus valid() {
  Corpus corpus;
  corpus.text.article_digests = DigestSample();
  corpus.text.sentence_digests = DigestSample();
  return corpus;
}

TEST(DataRanges, ValidDataHasNoWarning) {
  EXPECT_THAT(valid().abouts(), IsEmpty());
}

TEST(DataRanges, UnknownWordsAreNamed) {
  Corpus corpus = valid();
  corpus.text.unknown = corpus.text.tokens / 4;
  corpus.text.unknown_words.add("權", 12);
  ASSERT_THAT(corpus.abouts(), ElementsAre("unknown_share"));
  EXPECT_THAT(corpus.warnings().front().text, HasSubstr("22 % of the tokens are [UNK]: 權 (108);"));
}

TEST(DataRanges, WordsInManyPieces) {
  Corpus corpus = valid();
  corpus.text.words = corpus.text.tokens / 3;
  EXPECT_THAT(corpus.abouts(), ElementsAre("pieces_per_word"));
}

TEST(DataRanges, DroppedSentencesAndRecords) {
  Corpus corpus = valid();
  corpus.text.empty_sentences = corpus.text.sentences;
  corpus.rejected.add("broken JSON", 500);
  EXPECT_THAT(corpus.abouts(), ElementsAre("dropped", "dropped"));
}

TEST(DataRanges, RepeatedArticlesAndSentences) {
  EXPECT_THAT(Corpus().abouts(), ElementsAre("duplicate_articles", "duplicate_sentences"));
}

TEST(DataRanges, LettersThatStrippingLoses) {
  Corpus corpus = valid();
  corpus.text.scripts.by_name = {{"Devanagari", {.letters = 900, .lost = 200, .accented = 0, .example = "व्यक्तींची"}},
                                 {"Latin", {.letters = 5000, .lost = 0, .accented = 5000, .example = "Việt"}},
                                 {"Thai", {.letters = 2, .lost = 1}}};
  EXPECT_THAT(corpus.abouts(), ElementsAre("scripts", "scripts"));
  EXPECT_THAT(corpus.warnings()[0].text, HasSubstr("22 % of the letters and marks in Devanagari are lost"));
  EXPECT_THAT(corpus.warnings()[0].text, HasSubstr("(व्यक्तींची → वयकतीची)"));
  EXPECT_THAT(corpus.warnings()[1].text, HasSubstr("(Việt → viet)"));
  corpus.targets.tokenizer.lower_case = false;
  EXPECT_THAT(corpus.abouts(), IsEmpty()) << "accents are not stripped";
}

TEST(DataRanges, RowsOfPadding) {
  Corpus corpus = valid();
  corpus.targets.seq_len = 512;
  corpus.targets.max_predictions = 80;
  ASSERT_THAT(corpus.abouts(), ElementsAre("padding_share"));
  EXPECT_THAT(corpus.warnings().front().text, HasSubstr("77 % of all token positions are padding"));
}

TEST(DataRanges, MasksThatAreCutOff) {
  Corpus corpus = valid();
  corpus.rows.masked_as_mask = 8 * corpus.rows.rows;
  corpus.rows.masked_as_same = corpus.rows.rows;
  corpus.rows.masked_as_random = corpus.rows.rows;
  ASSERT_THAT(corpus.abouts(), ElementsAre("masks_per_row"));
  EXPECT_THAT(corpus.warnings().front().text, HasSubstr("--max-predictions 20 cuts them off"));
}

TEST(DataRanges, KindsOfMasks) {
  Corpus corpus = valid();
  corpus.rows.masked_as_mask += corpus.rows.rows;
  corpus.rows.masked_as_same -= corpus.rows.rows;
  EXPECT_THAT(corpus.abouts(), ElementsAre("masked_as_mask", "masked_as_same"));
}

// 10.2 % is too much by chance alone in so many rows, and no reason to warn of "10 % instead of 10 %".
TEST(DataRanges, WhatPrintsAlikeIsNoWarning) {
  Corpus corpus = valid();
  corpus.rows = valid_rows(100'000);
  corpus.rows.masked_as_same += corpus.rows.rows * 4 / 100;
  corpus.rows.masked_as_mask -= corpus.rows.rows * 4 / 100;
  EXPECT_THAT(corpus.abouts(), IsEmpty());
}

TEST(DataRanges, AWarningAgreesWithItsNumber) {
  Corpus corpus = valid();
  corpus.text.articles = 11;
  corpus.training_shards = 1;
  corpus.rejected.add("this is not text");
  ASSERT_THAT(corpus.abouts(), ElementsAre("dropped"));
  EXPECT_THAT(corpus.warnings().front().text, testing::StartsWith("1 record was rejected, against "));
}

TEST(DataRanges, ShardsOfOneArticle) {
  Corpus corpus = valid();
  corpus.text.articles = 1;
  corpus.rows.random_next = corpus.rows.rows / 5;
  corpus.training_shards = 64;
  ASSERT_THAT(corpus.abouts(), ElementsAre("random_next_share"));
  EXPECT_THAT(corpus.warnings().front().text,
              testing::AllOf(HasSubstr("64 of 64 training shards hold a single article"), HasSubstr("instead of 50 %"),
                             HasSubstr("use --train-shards 8 or fewer")));
}

TEST(DataRanges, ArticlesOfOneSentence) {
  Corpus corpus = valid();
  corpus.rows.random_next = corpus.rows.rows;
  ASSERT_THAT(corpus.abouts(), ElementsAre("random_next_share"));
  EXPECT_THAT(corpus.warnings().front().text, HasSubstr("articles have few sentences"));
}

TEST(DataRanges, TestShare) {
  Corpus corpus = valid();
  corpus.targets.test_fraction = 0.1;
  EXPECT_THAT(corpus.abouts(), IsEmpty());
  corpus.targets.test_fraction = 0.3;
  EXPECT_THAT(corpus.abouts(), ElementsAre("test_share"));
}

TEST(DataRanges, ShardsOfUnequalRows) {
  DataCounts counts;
  const Corpus corpus = valid();
  for (int i = 0; i < 9; ++i) {
    counts.add_shard("x_training_" + std::to_string(i),
                     shard_counts_json(corpus.text.to_json(), valid_rows(i == 4 ? 400 : 1000)));
  }
  const std::vector<DataWarning> warnings = warnings_of(counts, corpus.targets);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings.front().about, "training_shards");
  EXPECT_THAT(warnings.front().text, HasSubstr("400 to 1,000 rows (median 1,000): "));
}

TEST(DataRanges, NumbersAreShort) {
  EXPECT_EQ(rounded(0.5), "0.5");
  EXPECT_EQ(rounded(20.0), "20");
  EXPECT_EQ(rounded(1.0 / 3), "0.333333");
  EXPECT_EQ(rounded(100, 0), "100");
  EXPECT_EQ(percent(0.0023), "0.23 %");
  EXPECT_EQ(percent(0.565), "56 %");
  EXPECT_EQ(percent(0), "0 %");
}

TEST(DataRanges, TokensThatAreCutOff) {
  Corpus corpus;
  corpus.cut_tokens = 1;
  EXPECT_THAT(corpus.abouts(), testing::Not(testing::Contains("cut_share")));
  corpus.cut_tokens = 1000 * corpus.rows.tokens;
  EXPECT_THAT(corpus.abouts(), testing::Not(testing::Contains("cut_share"))) << "one shard does not say";
}

TEST(DataRanges, SentencesOfAnotherScript) {
  DataCounts counts;
  TextCounts text = valid_text();
  text.article_lengths = {};
  for (std::uint64_t i = 0; i < text.articles; ++i) text.article_lengths.add(1);
  text.scripts.by_name = {{"Han", {.letters = 900}}, {"Latin", {.letters = 100}}};
  RowCounts rows = valid_rows();
  rows.random_next = rows.rows;
  counts.add_shard("x_training_0.hdf5", shard_counts_json(text.to_json(), rows, 10 * rows.tokens));
  std::string cut, random_next;
  for (const DataWarning& warning : warnings_of(counts, {.seq_len = kSeqLen})) {
    if (warning.about == "cut_share") cut = warning.text;
    if (warning.about == "random_next_share") random_next = warning.text;
  }
  EXPECT_THAT(cut, testing::HasSubstr("100 % of the articles are one long sentence"));
  for (const std::string& text_of : {cut, random_next}) {
    EXPECT_THAT(text_of, testing::HasSubstr("--sentences icu --language zh"));
  }
}

}  // namespace
}  // namespace bertprep
