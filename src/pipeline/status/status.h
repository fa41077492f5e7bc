// status: the state of runs, from their files on disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "batch/submission.h"
#include "bertprep/base/progress.h"

namespace bertprep {

enum class StageState {
  kNotStarted,
  kWaiting,  // its job is submitted
  kRunning,
  kInterrupted,  // its process has ended; the same command resumes
  kFailed,       // ended with an error; for an array job: tasks failed, and none is running
  kDamaged,      // files are missing or contradict their records; the same command makes them again
  kDone,
};

struct StageStatus {
  std::string stage;          // fetch, format, shard, instances, manifest; for an array job, those of array_job.h
  std::uint64_t seq_len = 0;  // of the phase, for instances
  StageState state = StageState::kNotStarted;
  double fraction = 0;  // from 0 to 1; 0 also if unknown
  // Unknown numbers are 0.
  std::uint64_t tasks_done = 0;
  std::uint64_t tasks_planned = 0;
  std::uint64_t articles = 0;
  std::uint64_t sentences = 0;
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  std::string remark{};  // one thing worth knowing, or empty
};

// Of a whole run.
enum class DatasetState {
  kDone,
  kRunning,
  kWaiting,      // submitted: its jobs wait in the queue
  kFailed,       // ended with an error
  kDamaged,      // the same command makes again what is damaged
  kInterrupted,  // the same command resumes
};

struct DatasetStatus {
  std::string name;
  std::vector<std::filesystem::path> shard_folders{};  // one per phase
  std::filesystem::path work{};
  std::vector<StageStatus> stages{};  // in order of execution; instances once for each phase
  bool is_array = false;              // an array job works on it
  // Whether a process is working on it, and which; an array job has many.
  bool is_running = false;
  std::string host{};
  std::uint64_t pid = 0;
  RunShare share{};     // of the whole run, as its process last reported it
  std::string error{};  // with which the process ended
  // The last one, until its array job has finished.
  std::optional<Submission> submission{};

  bool is_done() const;
  DatasetState state() const;
  // Takes what the engine says of the submission's jobs into account.
  void heed(QueueState queue);
};

// The datasets with shards at or below `root`, those submitted, and what other commands wrote into it, sorted by
// name; of a file, its state alone. `work` is the work folder of their runs; empty: the one in the run's journal or
// submission, else the default. Writes nothing, opens no shard and reads each small file once, so it may be called
// during runs. Throws IoError if there is no such folder.
std::vector<DatasetStatus> status_of(const std::filesystem::path& root, const std::filesystem::path& work = {});

}  // namespace bertprep
