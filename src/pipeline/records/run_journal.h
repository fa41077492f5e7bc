// RunJournal: leaves on the disk what a run makes and how far it is, for `bertprep status`
// (docs/formats/run-journal.md).
//
// It is the observer of the run, and passes everything on to the run's own. What can't be written is left out: a
// journal never fails a run.
#pragma once

#include <chrono>
#include <filesystem>
#include <mutex>
#include <vector>

#include "base/forwarding_progress.h"
#include "base/run_meter.h"
#include "bertprep/base/progress.h"
#include "io/process.h"
#include "pipeline/records/run_description.h"
#include "pipeline/records/run_layout.h"
#include "pipeline/work/progress_report.h"

namespace bertprep {

// Writes run.json of the phases whose folders are there, where it does not say the same. What can't be written is left
// out.
void write_run_description(const BuildFolders& folders, const RunDescription& run);

class RunJournal final : public ForwardingProgress {
 public:
  // Writes run.json into the state folder of every phase where it is not there with the same bytes. `observer` is kept
  // by reference. Throws FormatError that names another process which makes a different run in the same folders, now.
  // Equal runs may work side by side: they leave the same bytes.
  RunJournal(const BuildFolders& folders, const RunDescription& run, Progress& observer);
  // The same of a run that makes rows.
  RunJournal(const BuildFolders& folders, const PipelineOptions& options, const Vocab& vocab, Progress& observer);
  // Leaves the last state behind unless finish() or withdraw() was called.
  ~RunJournal() override;
  RunJournal(const RunJournal&) = delete;
  RunJournal& operator=(const RunJournal&) = delete;

  // The run is over: nothing stays but run.json.
  void finish();
  // The input can't serve: nothing of a run that was never heard of before, and finished no stage, stays.
  void withdraw();

  void expect(std::span<const ExpectedSpan> spans) override;
  void begin(std::string_view stage, std::uint64_t total, std::string_view unit) override;
  void advance(std::uint64_t amount) override;
  void end() override;
  // Also keeps the report fresh while a stage has nothing to say.
  bool cancelled() const override;
  // The observer's, as it may have seen what came before the run; else that of the run alone.
  std::optional<RunShare> run_share() const override;

 private:
  using Clock = std::chrono::steady_clock;
  struct Place {
    std::filesystem::path folder;  // of results
    std::filesystem::path state;   // its hidden sibling
    bool is_new = false;           // had no run.json before
  };

  void write_now() const;
  void write_now_and_then() const;
  void remove_reports();
  void take_share();
  double now() const;

  Clock::time_point begun_ = Clock::now();
  RunMeter meter_;
  std::vector<Place> places_;
  std::vector<FolderUse> uses_;  // of the state folders
  bool over_ = false;
  bool finished_a_stage_ = false;
  mutable std::mutex mutex_;  // cancelled() is called from any thread
  mutable ProgressReport report_;
  mutable Clock::time_point written_{};
};

}  // namespace bertprep
