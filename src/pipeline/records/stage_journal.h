// StageJournal: tells `bertprep status` what one stage by itself does, as RunJournal does for a run
// (docs/formats/run-journal.md). Write errors are ignored: a journal never fails a stage.
#pragma once

#include <chrono>
#include <exception>
#include <filesystem>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "base/forwarding_progress.h"
#include "bertprep/base/error.h"
#include "pipeline/work/progress_report.h"

namespace bertprep {

class StageJournal final : public ForwardingProgress {
 public:
  // Returns `make(progress)`, whose steps are recorded in the state folders `states` as those of `stage` until it ends,
  // and its error afterwards, unless nothing was made before. Within a run, whose journal is there, does no more than
  // call it.
  template <class Make>
  static auto record(std::vector<std::filesystem::path> states, std::string_view stage, Progress& observer,
                     const Make& make) {
    StageJournal journal(std::move(states), stage, observer);
    try {
      auto made = make(static_cast<Progress&>(journal));
      journal.finish();
      return made;
    } catch (const Cancelled&) {
      throw;
    } catch (const std::exception& error) {
      journal.fail(error.what());
      throw;
    }
  }

  void begin(std::string_view step, std::uint64_t total, std::string_view unit) override;
  void advance(std::uint64_t amount) override;

 private:
  StageJournal(std::vector<std::filesystem::path> states, std::string_view stage, Progress& observer);
  void finish();
  void fail(const char* error);
  void write();

  using Clock = std::chrono::steady_clock;
  std::vector<std::filesystem::path> states_;
  std::mutex mutex_;
  ProgressReport report_;
  bool is_checking_ = true;  // before the stage's own step
  bool has_made_any_ = false;
  Clock::time_point written_{};
};

}  // namespace bertprep
