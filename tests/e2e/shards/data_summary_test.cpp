// A run's report on its data.
#include "bertprep/shard/manifest.h"
#include "e2e/e2e_test.h"
#include "io/json.h"
#include "support/read_text.h"

namespace bertprep::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class DataSummaryTest : public E2eTest {
 protected:
  Arguments run_of(const std::string& input, const std::string& root, const Arguments& more = {}) {
    return Arguments{"run",     "--input", input, "--name",   "x",  "--vocab",           vocab(), "--sentences", "icu",
                     "--phase", "1",       "-o",  path(root), "-w", path(root + ".work")} +
           more;
  }
  // Articles of two sentences, numbered from `first` on.
  std::string articles(const std::string& name, int first, int count) {
    std::string text;
    for (int i = first; i < first + count; ++i) {
      text += "{\"text\":\"The history of town " + std::to_string(i) + " began in the year " +
              std::to_string(1000 + i) + ". It was built on the river and it has " + std::to_string(i) +
              " houses.\"}\n";
    }
    return folder().write(name, text);
  }
  Json manifest(const std::string& root) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path(root))) {
      if (entry.path().filename() == Manifest::kFileName) return Json::parse(read_text(entry.path()), "manifest");
    }
    return {};
  }
};

TEST_F(DataSummaryTest, IsInTheManifestTheSummaryAndTheEvents) {
  const Finished finished =
      succeed(run_of(articles("a.jsonl", 0, 100), "root", {"--json", "--train-shards", "4", "--test-shards", "1"}));
  EXPECT_THAT(finished.err, AllOf(HasSubstr("\ntext: "), HasSubstr("\nrows: "), HasSubstr("\ntraining shards: 4, ")));
  const Json data = manifest("root").at("data");
  EXPECT_EQ(data.at("articles").as_unsigned(), 100U);
  EXPECT_EQ(data.at("sentences").as_unsigned(), 200U);
  EXPECT_EQ(data.at("duplicate_sentences").at("repeated").as_unsigned(), 0U);
  EXPECT_EQ(data.at("scripts").at("Latin").at("share").text(), "1");
  EXPECT_EQ(data.at("training_shards").at("shards").as_unsigned(), 4U);
  EXPECT_THAT(finished.out, HasSubstr("{\"event\":\"data\",\"folder\":"));
  EXPECT_THAT(finished.out, HasSubstr("\"data\":" + data.dump_line() + "}\n"));
}

TEST_F(DataSummaryTest, RepeatedArticlesAreFoundAcrossShards) {
  const std::string once = read_text(articles("a.jsonl", 0, 50));
  const std::string input = folder().write("b.jsonl", once + read_text(articles("c.jsonl", 50, 40)) + once);
  const Finished finished = succeed(run_of(input, "root", {"--train-shards", "6", "--test-shards", "2"}));
  EXPECT_THAT(finished.err, HasSubstr("warning: 36 % of the articles repeat an earlier one word for word"));
  const Json data = manifest("root").at("data");
  EXPECT_EQ(data.at("duplicate_articles").at("repeated").as_unsigned(), 50U);
  EXPECT_EQ(data.at("duplicate_articles").at("compared").as_unsigned(), 140U);
  EXPECT_EQ(data.at("duplicate_sentences").at("repeated").as_unsigned(), 100U);
}

TEST_F(DataSummaryTest, StrictDataMakesAWarningAnErrorAndKeepsTheShards) {
  const Arguments run = run_of(articles("a.jsonl", 0, 40), "root", {"--train-shards", "30", "--test-shards", "2"});
  const Finished lenient = succeed(run);
  EXPECT_THAT(lenient.err, HasSubstr("training shards hold a single article"));
  const FileTree before = read_tree(path("root"));
  const Finished strict = bertprep(run + Arguments{"--strict-data"});
  EXPECT_EQ(strict.exit_status, 4);
  EXPECT_THAT(strict.err, AllOf(HasSubstr("training shards hold a single article"), HasSubstr("--strict-data")));
  EXPECT_EQ(read_tree(path("root")), before);
}

TEST_F(DataSummaryTest, FindingsAreReportedAgain) {
  const Arguments run = run_of(articles("a.jsonl", 0, 100), "root");
  const auto data_of = [](const std::string& text) {
    const std::size_t from = text.find("\ntext: ");
    return text.substr(from, text.find("\nshards: ") - from);
  };
  EXPECT_EQ(data_of(succeed(run).err), data_of(succeed(run).err));
}

TEST_F(DataSummaryTest, TheVocabularyOfAnotherScriptIsNoticed) {
  std::string text;
  for (int i = 0; i < 60; ++i)
    text += "{\"text\":\"Город " + std::to_string(i) + " стоит на реке. Он очень стар и мал.\"}\n";
  const Finished finished = succeed(run_of(folder().write("r.jsonl", text), "root"));
  EXPECT_THAT(finished.err, AllOf(HasSubstr("of the tokens are [UNK]: "), HasSubstr("bertprep vocab train")));
  EXPECT_THAT(finished.err, Not(HasSubstr("Latin")));
}

}  // namespace
}  // namespace bertprep::test
