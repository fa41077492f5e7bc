// RunJournal: that of a run, which also has what it makes (docs/formats/run-journal.md).
#pragma once

#include <chrono>
#include <filesystem>
#include <vector>

#include "base/run_meter.h"
#include "bertprep/base/progress.h"
#include "io/process.h"
#include "pipeline/records/progress_journal.h"
#include "pipeline/records/run_description.h"

namespace bertprep {

// Updates run.json for the phases whose folders exist. Ignores write errors.
void write_run_description(const BuildFolders& folders, const RunDescription& run);

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
