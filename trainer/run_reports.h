// RunReports: measures the time of a run, and passes its events to the observer, the JSON log and TensorBoard.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "bertprep/trainer/train.h"
#include "trainer/run_log.h"

namespace bertprep {

class RunReports {
 public:
  // Opens the files that `options` names. Throws IoError.
  RunReports(const RunOptions& options, TrainObserver& observer);

  void planned(const TrainPlan& plan);
  // Since the start of the run.
  struct Totals {
    std::uint64_t rows = 0;
    double waited_seconds = 0;        // for data
    double communicated_seconds = 0;  // with other processes
  };
  // Fills in rows per second, shares of waiting and time left.
  void stepped(StepReport report, const Totals& totals);
  void evaluated(const EvalReport& report);
  void saved(std::int64_t step, const std::filesystem::path& checkpoint);

  const StepReport& last() const { return last_; }
  double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;
  void write(std::int64_t step, const LogValues& values);
  template <class Report>
  LogValues losses(const std::string& prefix, const Report& report) const;

  TrainObserver& observer_;
  std::int64_t first_logged_step_;  // phase1_end_step
  std::optional<RunLog> log_;
  std::optional<EventFile> events_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_time_ = start_;
  Totals last_totals_;
  ModelKind kind_ = ModelKind::kBert;
  std::int64_t last_step_ = 0;
  int reports_ = 0;
  double seconds_per_step_ = 0;  // over the last reports
  StepReport last_;
};

}  // namespace bertprep
