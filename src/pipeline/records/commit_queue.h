// CommitQueue: collects finished shards to commit them together, since each flush to disk costs as much as a small
// shard.
//
// Working threads call commit_due() now and then. So a killed process loses, besides its current work, only shards
// finished within kLongestWait.
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
  // Commits the rest if possible, so that finished shards survive an error of the run.
  ~CommitQueue();
  CommitQueue(const CommitQueue&) = delete;
  CommitQueue& operator=(const CommitQueue&) = delete;

  // Queues a finished task of `folder`, which is kept by reference, and commits all queued tasks unless that was done
  // recently. Thread-safe. Throws IoError.
  void add(const OutputFolder& folder, FinishedTask task);
  // Commits if a task has waited long enough. Throws IoError.
  void commit_due();
  // Commits all that wait, or all of one folder. Throws IoError.
  void commit_all();
  void commit_all(const OutputFolder& folder);

 private:
  using Clock = std::chrono::steady_clock;
  using Waiting = std::map<const OutputFolder*, std::vector<FinishedTask>>;

  std::mutex mutex_;
  Waiting waiting_;
  Clock::time_point committed_ = Clock::now();
};

}  // namespace bertprep
