#include "pipeline/records/dataset_vocab.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

#include "bertprep/base/error.h"
#include "support/golden_data.h"
#include "support/read_text.h"
#include "support/thrown.h"
#include "unit/pipeline/small_run.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class DatasetVocabTest : public testing::Test {
 protected:
  std::string refusal() {
    return thrown_by([&] { report_ = small_build(folder_, options_); });
  }
  fs::path copy() const { return report_.shard_folders.front() / "vocab.txt"; }
  Manifest manifest() const { return Manifest::load(report_.shard_folders.front() / Manifest::kFileName); }

  const TempFolder folder_;
  PipelineOptions options_ = small_options(folder_);
  BuildReport report_;
};

TEST_F(DatasetVocabTest, LiesBesideTheShardsOfEveryPhase) {
  ASSERT_EQ(refusal(), "nothing thrown");
  ASSERT_EQ(report_.shard_folders.size(), 2U);
  for (const fs::path& folder : report_.shard_folders) {
    EXPECT_EQ(read_text(folder / "vocab.txt"), read_text(options_.vocabulary));
    const auto vocabulary = Manifest::load(folder / Manifest::kFileName).vocabulary;
    ASSERT_TRUE(vocabulary.has_value());
    EXPECT_EQ(vocabulary->name, "vocab.txt");
    EXPECT_EQ(vocabulary->sha256, manifest().recipe_value("vocab-sha256"));
    EXPECT_EQ(vocabulary->size, 16U);
    EXPECT_TRUE(vocabulary->lower_case);
    EXPECT_TRUE(vocabulary->strip_accents);
  }
}

TEST_F(DatasetVocabTest, ComesBackWhereItIsLost) {
  ASSERT_EQ(refusal(), "nothing thrown");
  fs::remove(copy());
  ASSERT_EQ(refusal(), "nothing thrown");
  EXPECT_TRUE(fs::exists(copy()));
}

TEST_F(DatasetVocabTest, ADamagedCopyIsMadeAgain) {
  ASSERT_EQ(refusal(), "nothing thrown");
  const auto written = fs::last_write_time(copy());
  std::string bytes = read_text(copy());
  bytes[3] ^= 1;
  std::ofstream(copy()) << bytes;
  fs::last_write_time(copy(), written);  // it was not written to
  for (const bool is_finished : {true, false}) {
    if (!is_finished) fs::remove(copy().parent_path() / Manifest::kFileName);
    ASSERT_EQ(refusal(), "nothing thrown");
    EXPECT_EQ(read_text(copy()), read_text(options_.vocabulary));
    EXPECT_FALSE(fs::exists(copy().string() + ".changed-1"));
    std::ofstream(copy()) << bytes;
    fs::last_write_time(copy(), written - std::chrono::hours(1));
  }
}

TEST_F(DatasetVocabTest, AnEditedCopyIsKeptAside) {
  ASSERT_EQ(refusal(), "nothing thrown");
  std::ofstream(copy(), std::ios::app) << "mine\n";
  fs::last_write_time(copy(), fs::last_write_time(copy()) + std::chrono::seconds(5));
  ASSERT_EQ(refusal(), "nothing thrown");
  EXPECT_EQ(read_text(copy()), read_text(options_.vocabulary));
  EXPECT_THAT(read_text(copy().string() + ".changed-1"), testing::EndsWith("mine\n"));
}

TEST_F(DatasetVocabTest, AnOlderFileThatWasMovedThereIsKeptAside) {
  ASSERT_EQ(refusal(), "nothing thrown");
  std::ofstream(copy()) << "mine\n";
  fs::last_write_time(copy(), fs::last_write_time(copy()) - std::chrono::hours(9));
  ASSERT_EQ(refusal(), "nothing thrown");
  EXPECT_EQ(read_text(copy()), read_text(options_.vocabulary));
  EXPECT_EQ(read_text(copy().string() + ".changed-1"), "mine\n");
}

TEST_F(DatasetVocabTest, AnothersIsNotOverwritten) {
  ASSERT_EQ(refusal(), "nothing thrown");
  const fs::path phase = report_.shard_folders.front();
  fs::remove_all(phase.parent_path().parent_path());
  fs::create_directories(phase);
  std::ofstream(phase / "vocab.txt") << "mine\n";
  EXPECT_THAT(refusal(), HasSubstr("holds another vocabulary than that of this run"));
  EXPECT_EQ(read_text(phase / "vocab.txt"), "mine\n");
  options_.work.force = true;
  EXPECT_EQ(refusal(), "nothing thrown");
  EXPECT_EQ(read_text(phase / "vocab.txt"), read_text(options_.vocabulary));
}

TEST_F(DatasetVocabTest, TheRunsOwnIsReplacedWithTheDataset) {
  ASSERT_EQ(refusal(), "nothing thrown");
  options_.vocabulary = folder_.write("more.txt", read_text(options_.vocabulary) + "number\n##s\n");
  EXPECT_THAT(refusal(), HasSubstr("vocabulary"));
  folder_.write("more.txt", read_text(folder_ / "vocab.txt") + "##s\n");
  EXPECT_THAT(refusal(), HasSubstr("vocab-sha256 was"));
  fs::remove(report_.shard_folders[0] / Manifest::kFileName);
  fs::remove(report_.shard_folders[1] / Manifest::kFileName);
  EXPECT_EQ(refusal(), "nothing thrown") << "of an unfinished run, which its records tell";
  EXPECT_EQ(read_text(copy()), read_text(options_.vocabulary));
  EXPECT_EQ(manifest().vocabulary->name, "more.txt");
}

TEST_F(DatasetVocabTest, VerifyComparesIt) {
  ASSERT_EQ(refusal(), "nothing thrown");
  Progress silent;
  const fs::path phase = report_.shard_folders.front();
  EXPECT_TRUE(verify_shards(phase, {}, silent).problems.empty());
  std::ofstream(copy(), std::ios::app) << "x\n";
  EXPECT_THAT(verify_shards(phase, {}, silent).problems, testing::ElementsAre(HasSubstr("vocab.txt: has sha256 ")));
  fs::remove(copy());
  EXPECT_THAT(verify_shards(phase, {}, silent).problems,
              testing::ElementsAre(HasSubstr("vocab.txt: is in the manifest, but missing")));
}

std::string misfit(const std::string& vocabulary, bool lower_case) {
  return thrown_by<ConfigError>([&] { require_fitting_case(vocabulary, {.lower_case = lower_case}); });
}

TEST_F(DatasetVocabTest, TheCatalogueKnowsTheCase) {
  EXPECT_EQ(misfit("bert-base-uncased", true), "nothing thrown");
  EXPECT_THAT(misfit("bert-base-uncased", false), HasSubstr("leave `lower_case` false out"));
  EXPECT_EQ(misfit("bert-base-multilingual-cased", false), "nothing thrown");
  EXPECT_THAT(misfit("bert-base-multilingual-cased", true), HasSubstr("is cased, and the text is turned into lower"));
  EXPECT_EQ(misfit("no-such-vocabulary", true), "nothing thrown");
  const std::string file = folder_.write("any.txt", read_text(source_folder() / "vocab" / "sample-uncased-vocab.txt"));
  EXPECT_THAT(misfit(file, false), HasSubstr("is in lower case")) << "by its digest";
}

TEST_F(DatasetVocabTest, ItsUsersKnowTheCase) {
  EXPECT_EQ(misfit(options_.vocabulary, false), "nothing thrown") << "nothing is recorded";
  ASSERT_EQ(refusal(), "nothing thrown");
  EXPECT_EQ(misfit(copy().string(), true), "nothing thrown");
  EXPECT_THAT(misfit(copy().string(), false), HasSubstr("is in lower case"));
  VocabTask task;
  task.parts = small_corpus(folder_);
  task.file = folder_ / "trained" / "pieces.txt";
  task.trainer.lower_case = false;
  Progress silent;
  train_vocab(task, {}, silent);
  EXPECT_EQ(misfit(task.file.string(), false), "nothing thrown");
  EXPECT_THAT(misfit(task.file.string(), true), HasSubstr("is cased"));
}

TEST_F(DatasetVocabTest, TheConfigurationOfATokenizerKnowsTheCase) {
  const std::string file = folder_.write("hf/vocab.txt", read_text(options_.vocabulary) + "##s\n");
  folder_.write("hf/tokenizer_config.json", "{\"do_lower_case\": false}");
  EXPECT_EQ(misfit(file, false), "nothing thrown");
  EXPECT_THAT(misfit(file, true), HasSubstr("is cased"));
  for (const char* unreadable : {"{\"do_lower_case\": 1}", "[]", "", "{}"}) {
    folder_.write("hf/tokenizer_config.json", unreadable);
    EXPECT_EQ(misfit(file, true), "nothing thrown") << unreadable;
  }
}

std::string misfit(const std::string& vocabulary, const TokenizerOptions& options) {
  return thrown_by<ConfigError>([&] { require_fitting_case(vocabulary, options); });
}

TEST_F(DatasetVocabTest, AccentsAreRecordedWithTheCase) {
  const std::string file = folder_.write("hf/vocab.txt", read_text(options_.vocabulary) + "##s\n");
  folder_.write("hf/tokenizer_config.json", "{\"do_lower_case\": true, \"strip_accents\": false}");
  for (const std::string& vocab : {file, (folder_ / "hf").string()}) {
    EXPECT_EQ(misfit(vocab, {.strip_accents = AccentStripping::kNo}), "nothing thrown");
    EXPECT_THAT(misfit(vocab, TokenizerOptions{}),
                testing::AllOf(HasSubstr("has accents ("), HasSubstr("tokenizer_config.json), and the text loses them"),
                               HasSubstr("give `strip_accents` no")));
  }
  VocabTask task;
  task.parts = small_corpus(folder_);
  task.file = folder_ / "trained" / "pieces.txt";
  Progress silent;
  train_vocab(task, {}, silent);
  EXPECT_EQ(misfit(task.file.string(), {.strip_accents = AccentStripping::kYes}), "nothing thrown");
  EXPECT_THAT(misfit(task.file.string(), {.strip_accents = AccentStripping::kNo}),
              HasSubstr("has no accents ('vocab train'), and the text keeps them"));
}

TEST_F(DatasetVocabTest, OnlyATokenizerSaysHowTextIsRead) {
  EXPECT_EQ(text_of_tokenizer("bert-base-cased").lower_case, std::nullopt);
  ASSERT_EQ(refusal(), "nothing thrown");
  EXPECT_EQ(text_of_tokenizer(copy().string()).lower_case, std::nullopt);
  EXPECT_EQ(text_of_tokenizer(copy().parent_path().string()).lower_case, true) << "a dataset's folder";
  folder_.write("known/vocab.txt", read_text(source_folder() / "vocab" / "sample-uncased-vocab.txt"));
  EXPECT_EQ(text_of_tokenizer((folder_ / "known").string()).lower_case, true) << "by its digest";
}

struct VocabNotes final : Progress {
  void note(std::string_view said) override { text += std::string(said) + "\n"; }
  std::string text;
};

TEST_F(DatasetVocabTest, WithoutARecordItsPiecesTell) {
  const std::string bytes = read_text(options_.vocabulary) + "He\n##LL\n";
  const Vocab vocab = Vocab::parse(bytes, "v.txt");
  const auto said = [&](const std::string& name, const TokenizerOptions& tokenizer) {
    VocabNotes notes;
    require_reachable_pieces({}, name, vocab, tokenizer, notes);
    return notes.text;
  };
  EXPECT_THAT(said("v.txt", {}), HasSubstr("2 of its "));
  EXPECT_EQ(said("v.txt", {.lower_case = false}), "");
  const std::string file = folder_.write("hf/vocab.txt", bytes);
  folder_.write("hf/tokenizer_config.json", "{\"do_lower_case\": true}");
  EXPECT_EQ(said(file, {}), "") << "recorded";
}

TEST_F(DatasetVocabTest, TheRecordIsFoundFromWithinTheFolder) {
  VocabTask task;
  task.parts = small_corpus(folder_);
  task.file = folder_ / "trained" / "pieces.txt";
  task.trainer.lower_case = false;
  Progress silent;
  train_vocab(task, {}, silent);
  const fs::path before = fs::current_path();
  fs::current_path(folder_ / "trained");
  EXPECT_THAT(misfit("pieces.txt", true), HasSubstr("is cased"));
  fs::current_path(before);
}

TEST_F(DatasetVocabTest, ARunOfTheOtherCaseIsRefused) {
  options_.vocabulary = "sample-uncased";
  options_.tokenizer.lower_case = false;
  EXPECT_THAT(refusal(), HasSubstr("the vocabulary 'sample-uncased' is in lower case"));
}

}  // namespace
}  // namespace bertprep::test
