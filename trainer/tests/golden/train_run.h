// Whole runs of the trainer in this process: their observers and folders.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bertprep/trainer/train.h"
#include "support/temp_folder.h"
#include "support/thrown.h"

namespace bertprep::test {

// Records all reports; requests a stop after step `stop_at`.
struct Watcher final : TrainObserver {
  explicit Watcher(std::int64_t last = -1) : stop_at(last) {}
  void planned(const TrainPlan& value) override { plan = value; }
  void stepped(const StepReport& report) override { steps.push_back(report); }
  void evaluated(const EvalReport& report) override { evaluations.push_back(report); }
  bool cancelled() const override { return !steps.empty() && steps.back().step == stop_at; }

  std::int64_t stop_at;
  TrainPlan plan;
  std::vector<StepReport> steps;
  std::vector<EvalReport> evaluations;
};

class TrainRunTest : public testing::Test {
 protected:
  // Of the shards and the model's config.json in the folder, two micro-batches per step.
  TrainOptions options_of_run(const std::string& output, std::int64_t steps) const {
    TrainOptions options;
    options.data.data = folder_.path().string();
    options.data.batch_size = 6;
    options.data.micro_batch = 3;
    options.model.model = (folder_ / "config.json").string();
    options.run.max_steps = steps;
    options.run.log_every = 1;
    options.run.output = output.empty() ? "" : (folder_ / output).string();
    options.run.threads = 2;
    return options;
  }

  TempFolder folder_;
};

}  // namespace bertprep::test
