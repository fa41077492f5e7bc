// status: where runs stand, from what they left on the disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"

namespace bertprep {

enum class StageState {
  kNotStarted,
  kRunning,
  kInterrupted,  // a process that worked on it is gone; the same command resumes
  kFailed,       // of an array job: tasks ended with an error, and none runs
  kDamaged,      // files are lost or not what their records say; the same command makes them again
  kDone,
};

struct StageStatus {
  std::string stage;          // fetch, format, shard, instances, manifest; of an array job those of array_job.h
  std::uint64_t seq_len = 0;  // of the phase, in tokens, for instances
  StageState state = StageState::kNotStarted;
  double fraction = 0;  // from 0 to 1; 0 also when it is not known
  // Numbers are 0 where they are not known.
  std::uint64_t tasks_done = 0;
  std::uint64_t tasks_planned = 0;
  std::uint64_t articles = 0;
  std::uint64_t sentences = 0;
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  std::string remark{};  // one thing worth knowing, or empty
};

struct DatasetStatus {
  std::string name;
  std::vector<std::filesystem::path> shard_folders{};  // one a phase
  std::filesystem::path work{};
  std::vector<StageStatus> stages{};  // in the order in which they are done; instances once for each phase
  bool is_array = false;              // an array job works on it
  // Whether a process works on it, and which; an array job has many.
  bool is_running = false;
  std::string host{};
  std::uint64_t pid = 0;
  RunShare share{};  // of the whole run, as its process last said

  bool is_done() const;
};

// The datasets whose shards lie below `root`, in the order of their names. `work` is the work folder of their runs;
// empty: the one that the run's journal names, else the default. Writes nothing, opens no shard and reads each small
// file once, so it may be called during runs. Throws IoError when there is no such folder.
std::vector<DatasetStatus> status_of(const std::filesystem::path& root, const std::filesystem::path& work = {});

}  // namespace bertprep
