// CommitQueue: finished shards that wait to be committed together, since each wait for the disk costs as much as the
// work on a small shard.
//
// Who works on the next ones calls commit_due() now and then. So a process that is killed loses, besides what it was
// working on, what was finished within kLongestWait.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <vector>

#include "pipeline/records/output_folder.h"

namespace bertprep {

class CommitQueue {
 public:
  static constexpr std::chrono::seconds kLongestWait{1};

  CommitQueue() = default;
  // Commits what still waits, as far as that can be done: when a run ends with an error, what is finished stays.
  ~CommitQueue();
  CommitQueue(const CommitQueue&) = delete;
  CommitQueue& operator=(const CommitQueue&) = delete;

  // Queues a finished task of `folder`, which is kept by reference, and commits all that wait unless that was done a
  // moment ago. May be called from several threads at once. Throws IoError.
  void add(const OutputFolder& folder, FinishedTask task);
  // Commits when something has waited long enough. Throws IoError.
  void commit_due();
  // Throws IoError.
  void commit_all();

 private:
  using Clock = std::chrono::steady_clock;
  using Waiting = std::map<const OutputFolder*, std::vector<FinishedTask>>;

  std::mutex mutex_;
  Waiting waiting_;
  Clock::time_point committed_ = Clock::now();
};

}  // namespace bertprep
