// ProgressJournal: what this process does, in files that it keeps up to date for `bertprep status`
// (docs/formats/run-journal.md). It observes the work and passes all calls on to another observer. Write errors are
// ignored: a journal never fails a run.
#pragma once

#include <chrono>
#include <exception>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/forwarding_progress.h"
#include "base/run_meter.h"
#include "bertprep/base/error.h"
#include "bertprep/base/progress.h"
#include "io/process.h"
#include "pipeline/records/run_description.h"
#include "pipeline/work/progress_report.h"

namespace bertprep {

class ProgressJournal : public ForwardingProgress {
 public:
  // Also refreshes the files while a stage reports nothing.
  bool cancelled() const override;

 protected:
  // `observer` is kept by reference.
  ProgressJournal(ProgressReport report, std::chrono::seconds interval, Progress& observer)
      : ForwardingProgress(observer), interval_(interval), report_(std::move(report)) {}

  // A file of the journal; it is written in `partial`, which is made unless the file is to lie there, too.
  void add_file(std::filesystem::path file, std::filesystem::path partial);
  // Changes the report, and writes it; the second only if what is on disk is old.
  template <class Change>
  void write(const Change& change) {
    const std::lock_guard lock(mutex_);
    change(report_);
    if (!is_over_) write_now();
  }
  template <class Change>
  void update(const Change& change) {
    const std::lock_guard lock(mutex_);
    change(report_);
    write_now_and_then();
  }
  void write() {
    write([](const ProgressReport&) {});
  }
  // Removes the files; they are not written again.
  void remove_files();

 private:
  using Clock = std::chrono::steady_clock;
  struct File {
    std::filesystem::path path;
    std::filesystem::path partial;
  };

  void write_now() const;
  void write_now_and_then() const;

  std::chrono::seconds interval_;
  std::vector<File> files_;
  bool is_over_ = false;
  mutable std::mutex mutex_;  // cancelled() is called from any thread
  mutable ProgressReport report_;
  mutable Clock::time_point written_{};
};

// StageJournal: that of one stage by itself.
class StageJournal final : public ProgressJournal {
 public:
  // Returns `make(progress)`, whose steps are recorded in the state folders `states` as those of `stage` until it ends,
  // and its error afterwards, unless nothing was made before. Within a run, whose journal is there, does no more than
  // call it.
  template <class Make>
  static auto record(const std::vector<std::filesystem::path>& states, std::string_view stage, Progress& observer,
                     const Make& make) {
    StageJournal journal(states, stage, observer);
    try {
      auto made = make(static_cast<Progress&>(journal));
      journal.remove_files();
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
  StageJournal(const std::vector<std::filesystem::path>& states, std::string_view stage, Progress& observer);
  void fail(const std::string& error);

  bool is_checking_ = true;  // before the stage's own step
  bool has_made_any_ = false;
};

// Updates run.json for the phases whose folders exist. Ignores write errors.
void write_run_description(const BuildFolders& folders, const RunDescription& run);

// RunJournal: that of a run, which also has what it makes.
class RunJournal final : public ProgressJournal {
 public:
  // Writes run.json into the state folder of every phase unless it exists with the same bytes. `observer` is kept by
  // reference. Throws FormatError naming another process that is making a different run in the same folders. Equal runs
  // may work simultaneously: they leave the same bytes.
  RunJournal(const BuildFolders& folders, const RunDescription& run, Progress& observer);
  // Keeps the last state on disk unless finish() or withdraw() was called.
  ~RunJournal() override;
  RunJournal(const RunJournal&) = delete;
  RunJournal& operator=(const RunJournal&) = delete;

  // The run is over: only run.json stays.
  void finish();
  // The run ends with this error, unless it is over.
  void fail(const std::string& error);
  // The input is unusable: removes all traces of a new run that finished no stage.
  void withdraw();

  void expect(std::span<const ExpectedSpan> spans) override;
  void begin(std::string_view stage, std::uint64_t total, std::string_view unit) override;
  void advance(std::uint64_t amount) override;
  void end() override;
  // The observer's share, as it may include work before the run; else that of the run.
  std::optional<RunShare> run_share() const override;

 private:
  using Clock = std::chrono::steady_clock;
  struct Place {
    std::filesystem::path folder;  // of results
    std::filesystem::path state;   // its hidden sibling
    bool is_new = false;           // had no run.json before
  };

  void take_share();
  double now() const;

  Clock::time_point begun_ = Clock::now();
  RunMeter meter_;
  std::vector<Place> places_;
  std::vector<FolderUse> uses_;  // of the state folders
  bool finished_a_stage_ = false;
};

}  // namespace bertprep
