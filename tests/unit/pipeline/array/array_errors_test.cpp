// What an array job refuses, with which message.
#include <gmock/gmock.h>

#include "bertprep/base/error.h"
#include "support/array_run.h"
#include "support/golden_data.h"
#include "unit/pipeline/small_run.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

class ArrayErrors : public testing::Test {
 protected:
  ArrayRun make_run() { return ArrayRun(folder_.path(), small_corpus(folder_), options_, 1000); }

  TempFolder folder_;
  PipelineOptions options_ = small_options(folder_);
};

TEST_F(ArrayErrors, StagesOutOfOrderNameTheMissingOne) {
  ArrayRun run = make_run();
  EXPECT_THAT([&] { run.task(ArrayStage::kFormat); },
              ThrowsMessage<FormatError>(AllOf(HasSubstr("no plan"), HasSubstr("`stage` fetch"))));
  run.fetch();
  EXPECT_THAT(
      [&] { run.task(ArrayStage::kPlace); },
      ThrowsMessage<FormatError>(AllOf(HasSubstr("'format'"), HasSubstr("piece_00000"), HasSubstr("retry-list"))));
  run.stage(ArrayStage::kFormat);
  EXPECT_THAT([&] { run.task(ArrayStage::kShard); }, ThrowsMessage<FormatError>(HasSubstr("'place'")));
  run.stage(ArrayStage::kPlace);
  EXPECT_THAT([&] { run.task(ArrayStage::kInstances); }, ThrowsMessage<FormatError>(HasSubstr("'shard'")));
  run.stage(ArrayStage::kShard);
  run.task(ArrayStage::kInstances, 0, 2);
  EXPECT_THAT([&] { run.task(ArrayStage::kFinish); },
              ThrowsMessage<FormatError>(AllOf(HasSubstr("'instances'"), HasSubstr("2 of 5 parts are missing"),
                                               HasSubstr("small_training_1, small_test_0"))));
}

TEST_F(ArrayErrors, OneLostPieceIsNamed) {
  ArrayRun run = make_run();
  run.stages(ArrayStage::kFetch, ArrayStage::kFormat);
  fs::remove(run.job_folder() / "format/piece_00001.sentences");
  EXPECT_THAT([&] { run.task(ArrayStage::kPlace); },
              ThrowsMessage<FormatError>(AllOf(HasSubstr("1 of "), HasSubstr("piece_00001"))));
  EXPECT_EQ(run.task(ArrayStage::kFormat).tasks_made, 1U);
  run.stages(ArrayStage::kPlace, ArrayStage::kFinish);
}

TEST_F(ArrayErrors, DamagedPlansAreRefused) {
  ArrayRun run = make_run();
  run.fetch();
  const fs::path plan = run.job_folder() / "plan.json";
  const std::string bytes = read_bytes(plan);
  const auto write = [&](const std::string& text) { folder_.write(fs::relative(plan, folder_.path()).string(), text); };
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string text = bytes;
    EXPECT_NE(text.find(from), std::string::npos) << from;
    return text.replace(text.find(from), from.size(), to);
  };
  for (const std::string& text :
       {std::string(), bytes.substr(0, bytes.size() / 2), std::string("{}"), replaced("\"part\": 0", "\"part\": 7"),
        replaced("\"input\": 0", "\"input\": 9"), replaced("\"train-shards\": \"3\"", "\"train-shards\": \"many\""),
        replaced("\"phase\": \"both\"", "\"phase\": \"1\""), replaced("\"version\": 1", "\"version\": 99")}) {
    write(text);
    EXPECT_THAT([&] { run.task(ArrayStage::kFormat); },
                ThrowsMessage<FormatError>(AllOf(HasSubstr("plan.json"), HasSubstr("`stage` fetch"))))
        << text.substr(0, 100);
  }
  run.all();
}

TEST_F(ArrayErrors, AVocabularyThatChangedIsRefused) {
  ArrayRun run = make_run();
  run.stages(ArrayStage::kFetch, ArrayStage::kShard);
  folder_.write("vocab.txt", read_bytes(folder_ / "vocab.txt") + "newer\n");
  EXPECT_THAT([&] { run.task(ArrayStage::kInstances); },
              ThrowsMessage<FormatError>(AllOf(HasSubstr("vocabulary"), HasSubstr("`stage` fetch"))));
  run.all();
}

TEST_F(ArrayErrors, ForeignFilesAmongShards) {
  small_build(folder_, options_);
  options_.sharding.train_shards = 2;
  ArrayRun run = make_run();
  EXPECT_THAT([&] { run.fetch(); },
              ThrowsMessage<FormatError>(AllOf(HasSubstr("small_training_2.hdf5"), HasSubstr("`force`"))));
  EXPECT_THROW(run.task(ArrayStage::kFormat), FormatError) << "a refused job has no plan";
  run.options().work.force = true;
  run.all();
  const FileTree results = results_of(folder_.path());
  for (const auto& [name, bytes] : results) EXPECT_EQ(name.find("small_training_2.hdf5"), std::string::npos) << name;
}

TEST_F(ArrayErrors, InvalidShares) {
  ArrayRun run = make_run();
  run.fetch();
  EXPECT_THROW(run.task(ArrayStage::kFormat, 3, 3), ConfigError);
  EXPECT_THROW(run.task(ArrayStage::kFormat, 0, 0), ConfigError);
  EXPECT_THROW(run.task(ArrayStage::kPlace, 1, 2), ConfigError);
  EXPECT_THROW(run.task(ArrayStage::kFetch), ConfigError);
  EXPECT_THROW(unfinished_tasks(run.job(), ArrayStage::kFormat, 0), ConfigError);
  EXPECT_THROW(array_stage("formatt"), ConfigError);
}

TEST_F(ArrayErrors, ACorpusWithoutArticles) {
  CorpusPart part{.inputs = {folder_.write("empty.txt", " \n\n \n")}};
  part.source.format = InputFormat::kArticles;
  ArrayRun run(folder_.path(), {part}, options_);
  const auto attempt = [&] { run.stages(ArrayStage::kFetch, ArrayStage::kPlace); };
  EXPECT_THAT(attempt, ThrowsMessage<FormatError>(HasSubstr("not a single article")));
}

TEST_F(ArrayErrors, StrictStopsAtTheFirstBadRecord) {
  CorpusPart part{.inputs = {folder_.write("r.jsonl", "{\"text\": \"Good.\"}\n{\"no\": 1}\n")}};
  part.source.format = InputFormat::kJsonl;
  part.source.strict = true;
  ArrayRun run(folder_.path(), {part}, options_);
  run.fetch();
  EXPECT_THAT([&] { run.stage(ArrayStage::kFormat); }, ThrowsMessage<FormatError>(HasSubstr("r.jsonl:2")));
}

}  // namespace
}  // namespace bertprep::test
