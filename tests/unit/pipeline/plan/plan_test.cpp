#include "pipeline/plan/plan.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "pipeline/plan/plan_sample.h"
#include "pipeline/text_shards/article_lines.h"
#include "unit/pipeline/small_run.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

void expect_near(std::uint64_t planned, std::uint64_t real, double tolerance, const char* what) {
  EXPECT_LE(std::abs(static_cast<double>(planned) / static_cast<double>(real) - 1), tolerance)
      << what << ": " << planned << " planned, " << real << " real";
}

std::uint64_t bytes_below(const fs::path& folder) {
  std::uint64_t bytes = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".hdf5") bytes += entry.file_size();
  }
  return bytes;
}

// Every place from which an article can be read, found by checking all of them.
std::size_t plain_next_article(const std::string& text, std::size_t place) {
  while (place < text.size() && place != 0 && text[place - 1] != '\n') ++place;
  return place;
}

TEST(ArticleBoundary, IsTheNextLineOfArticles) {
  const std::string text = "one\ntwo\n\nfour\nlast without a feed";
  for (std::size_t place = 0; place <= text.size(); ++place) {
    EXPECT_EQ(next_article(text, place, InputFormat::kArticles), plain_next_article(text, place)) << place;
  }
}

TEST(ArticleBoundary, OfSentencesIsAfterABlankLine) {
  const std::string text = "One.\nTwo.\n\nThree.\n\nFour.\n";
  EXPECT_EQ(next_article(text, 0, InputFormat::kSentences), 0U);
  EXPECT_EQ(next_article(text, 1, InputFormat::kSentences), text.find("Three"));
  EXPECT_EQ(next_article(text, text.find("Three"), InputFormat::kSentences), text.find("Three"));
  EXPECT_EQ(next_article(text, text.find("Three") + 1, InputFormat::kSentences), text.find("Four"));
  EXPECT_EQ(next_article(text, text.find("Four") + 1, InputFormat::kSentences), text.size());
}

TEST(ArticleBoundary, OfWikitextIsATitle) {
  const std::string text =
      " \n = One = \n \n Text = here = \n \n = = Deep = = \n \n More . \n \n = Two = \n \n Text . \n";
  EXPECT_EQ(next_article(text, 5, InputFormat::kWikitext), text.find(" = Two"));
}

TEST(PlanSample, SplitsAtArticlesFromAnyPosition) {
  const TempFolder folder;
  const auto parts = small_corpus(folder, 20'000);
  const std::uint64_t bytes = fs::file_size(folder / "articles.txt");
  const PlanSample sample = copy_sample(parts, folder / "sample", {0.25, 1, 10'000'000});
  EXPECT_EQ(sample.input_bytes, bytes);
  EXPECT_FALSE(sample.is_complete || sample.is_front);
  expect_near(sample.sample_bytes, bytes / 4, 0.05, "bytes");
  expect_near(sample.articles, 5000, 0.05, "articles");
  const auto source = sample.open({});
  int first = -1, last = 0;
  for (Document document; source->next(document);) {
    EXPECT_THAT(document.text, testing::StartsWith("The article number "));
    EXPECT_EQ(document.text.back(), '.');
    last = std::stoi(document.text.substr(19));
    if (first < 0) first = last;
  }
  EXPECT_EQ(first, 0);
  EXPECT_GT(last, 15'000 / 2);
}

TEST(PlanSample, TakesWholeBooks) {
  const TempFolder folder;
  for (int i = 0; i < 100; ++i) folder.write("books/" + std::to_string(i) + ".txt", small_articles(20));
  CorpusPart part{.inputs = {folder / "books"}};
  part.source.format = InputFormat::kBooks;
  const PlanSample sample = copy_sample(std::vector{part}, folder / "sample", {0.1, 1, 10'000'000});
  EXPECT_EQ(sample.articles, 10U);
  EXPECT_DOUBLE_EQ(sample.scale(), 10);
}

TEST(PlanSample, OfLittleIsAllOfIt) {
  const TempFolder folder;
  const PlanSample sample = copy_sample(small_corpus(folder, 10), folder / "sample", {});
  EXPECT_TRUE(sample.is_complete);
  EXPECT_EQ(sample.articles, 10U);
  EXPECT_DOUBLE_EQ(sample.scale(), 1);
}

TEST(PlanFolder, LeavesNothing) {
  const TempFolder folder;
  {
    const PlanFolder plan(folder / "a/b");
    EXPECT_TRUE(fs::is_directory(plan.path()));
  }
  EXPECT_FALSE(fs::exists(folder / "a"));
  folder.write("work/file", "");
  { const PlanFolder plan(folder / "work"); }
  EXPECT_TRUE(fs::exists(folder / "work/file"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / "work"), fs::directory_iterator()), 1);
}

class PlanTest : public testing::Test {
 protected:
  TempFolder folder_;
  PipelineOptions options_ = small_options(folder_);
  Progress silent_;
};

TEST_F(PlanTest, OfAllTheInputIsExact) {
  const auto parts = small_corpus(folder_, 300);
  const Plan plan = plan_run(parts, small_folders(folder_), options_, silent_);
  EXPECT_FALSE(fs::exists(folder_ / "work")) << "the sample stays";
  const BuildReport real = build(parts, small_folders(folder_), options_, silent_);
  EXPECT_EQ(plan.articles, real.stages[0].articles);
  EXPECT_EQ(plan.sentences, real.stages[1].sentences);
  EXPECT_EQ(plan.tokens, real.stages[2].tokens);
  ASSERT_EQ(plan.phases.size(), 2U);
  EXPECT_EQ(plan.phases[0].rows + plan.phases[1].rows, real.rows);
  EXPECT_EQ(plan.phases[0].bytes, bytes_below(real.shard_folders[0]));
  EXPECT_EQ(plan.text_shard_bytes, real.stages[1].bytes_out);
  EXPECT_THAT(plan.warnings, testing::IsEmpty());
}

TEST_F(PlanTest, OfAPartComesClose) {
  const auto parts = small_corpus(folder_, 120'000);  // 20 MB, of which 4 are read
  options_.corpus.phase = Phase::kPhase1;
  options_.instances.dupe_factor = 1;
  options_.work.threads = 0;
  const Plan plan = plan_run(parts, small_folders(folder_), options_, silent_);
  EXPECT_LT(plan.sample_bytes, plan.input_bytes / 3);
  const BuildReport real = build(parts, small_folders(folder_), options_, silent_);
  expect_near(plan.articles, real.stages[0].articles, 0.02, "articles");
  expect_near(plan.sentences, real.stages[1].sentences, 0.02, "sentences");
  expect_near(plan.tokens, real.stages[2].tokens, 0.02, "tokens");
  expect_near(plan.phases[0].rows, real.rows, 0.05, "rows");
  expect_near(plan.phases[0].bytes, bytes_below(real.shard_folders[0]), 0.05, "bytes");
}

TEST_F(PlanTest, WarnsOfTooFewArticles) {
  options_.sharding.train_shards = 200;
  const Plan plan = plan_run(small_corpus(folder_, 100), small_folders(folder_), options_, silent_);
  ASSERT_EQ(plan.warnings.size(), 1U);
  EXPECT_THAT(plan.warnings[0], HasSubstr("100 articles can't fill 202 text shards"));
}

TEST_F(PlanTest, AnUnseenCorpusNeedsNoVocabulary) {
  options_.vocabulary = "bert-large-uncased";
  options_.sentences = {};
  const Plan plan =
      plan_unseen_run({1'000'000'000, std::uint64_t{1} << 50, 0}, small_folders(folder_), options_, silent_);
  EXPECT_FALSE(plan.from_sample);
  EXPECT_GT(plan.seconds(), 0);
  EXPECT_GT(plan.phases[0].rows, plan.phases[1].rows);
  EXPECT_THAT(plan.warnings, testing::Contains(HasSubstr("too little space on the disk")));
  EXPECT_THAT(plan.warnings, testing::Contains(HasSubstr("not even one thread fits in `memory`")));
  EXPECT_FALSE(fs::exists(folder_ / "work"));
  EXPECT_THROW(plan_unseen_run({}, small_folders(folder_), options_, silent_), ConfigError);
}

TEST_F(PlanTest, StopsWhenRequestedAndLeavesNothing) {
  class Impatient final : public Progress {
    bool cancelled() const override { return true; }
  } impatient;
  EXPECT_THROW(plan_run(small_corpus(folder_, 300), small_folders(folder_), options_, impatient), Cancelled);
  EXPECT_FALSE(fs::exists(folder_ / "work"));
}

}  // namespace
}  // namespace bertprep::test
