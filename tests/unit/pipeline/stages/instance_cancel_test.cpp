// A large text shard stops soon when it is cancelled, whatever is being done.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "bertprep/base/error.h"
#include "bertprep/pipeline/stages.h"
#include "unit/pipeline/small_run.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;

constexpr int kSentences = 60'000;
constexpr int kTextQuestions = 40;  // one for each 64 KiB
constexpr int kRowQuestions = 20;   // one for 4,096 rows

class CancelledAt final : public Progress {
 public:
  explicit CancelledAt(int question, fs::path partial = {}) : question_(question), partial_(std::move(partial)) {}
  bool cancelled() const override {
    if (!partial_.empty() && (!fs::exists(partial_) || fs::is_empty(partial_))) ++before_file;
    return ++asked > question_;
  }

  mutable int asked = 0;
  mutable int before_file = 0;

 private:
  int question_;
  fs::path partial_;
};

class InstanceCancel : public testing::Test {
 protected:
  void SetUp() override {
    std::string text;
    for (int i = 0; i < kSentences; ++i) text += "the article has a sentence . it is of the kind\n\n";
    task_.text_shards = {folder_.write("small_training_0.txt", text)};
    task_.name = "small";
    options_.instances = InstanceOptions();
    options_.instances.dupe_factor = 2;
    task_.phases = {{options_.instances, shards_}};
  }

  TempFolder folder_;
  PipelineOptions options_ = small_options(folder_);
  fs::path shards_ = folder_ / "shards";
  InstanceTask task_;
};

TEST_F(InstanceCancel, IsAskedOftenBeforeRowsAreWritten) {
  CancelledAt never(1'000'000, folder_ / ".shards.bertprep/partial");
  make_instances(task_, options_, never);
  EXPECT_GE(never.before_file, kTextQuestions + kRowQuestions);
}

TEST_F(InstanceCancel, LeavesNothingHalfMade) {
  CancelledAt never(1'000'000);
  make_instances(task_, options_, never);
  fs::remove_all(shards_);
  fs::remove_all(folder_ / ".shards.bertprep");
  for (int question = 11; question < never.asked; question += 53) {
    CancelledAt progress(question);
    EXPECT_THROW(make_instances(task_, options_, progress), Cancelled) << question;
    EXPECT_TRUE(fs::is_empty(shards_)) << question;
    EXPECT_TRUE(fs::is_empty(folder_ / ".shards.bertprep/partial")) << question;
  }
}

}  // namespace
}  // namespace bertprep::test
