// The terminal output of a training run: a line at the start, one per report, and one at the end.
#pragma once

#include <cstdint>

#include "bertprep/trainer/train.h"
#include "console/console.h"

namespace bertprep::cli {

class TrainingConsole final : public TrainObserver {
 public:
  explicit TrainingConsole(Console& console) : console_(console) {}

  void expect(std::span<const ExpectedSpan> spans) override;
  void begin(std::string_view stage, std::uint64_t total, std::string_view unit) override;
  void advance(std::uint64_t amount) override;
  void note(std::string_view text) override;
  void end() override;
  bool cancelled() const override;

  void sized(const TrainSize& size) override;
  void planned(const TrainPlan& plan) override;
  void stepped(const StepReport& report) override;
  void evaluated(const EvalReport& report) override;
  void saved(const std::filesystem::path& checkpoint) override;

  void finished(const TrainReport& report);

 private:
  Console& console_;
  std::uint64_t processes_ = 1;
  ModelKind kind_ = ModelKind::kBert;
};

}  // namespace bertprep::cli
