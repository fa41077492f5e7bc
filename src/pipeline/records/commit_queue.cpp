#include "pipeline/records/commit_queue.h"

#include <exception>
#include <utility>

namespace bertprep {

CommitQueue::~CommitQueue() {
  try {
    commit_all();
  } catch (const std::exception&) {
    return;  // these shards are made again
  }
}

void CommitQueue::add(const OutputFolder& folder, FinishedTask task) {
  {
    const std::lock_guard lock(mutex_);
    waiting_[&folder].push_back(std::move(task));
    if (Clock::now() - committed_ < kLongestWait) return;
  }
  commit_all();
}

void CommitQueue::commit_due() {
  {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock() || waiting_.empty() || Clock::now() - committed_ < kLongestWait) return;
  }
  commit_all();
}

void CommitQueue::commit_all() {
  Waiting due;
  {
    const std::lock_guard lock(mutex_);
    due.swap(waiting_);
    committed_ = Clock::now();
  }
  for (auto& [folder, tasks] : due) folder->commit(tasks);
}

void CommitQueue::commit_all(const OutputFolder& folder) {
  Waiting::node_type due;
  {
    const std::lock_guard lock(mutex_);
    due = waiting_.extract(&folder);
  }
  if (!due.empty()) folder.commit(due.mapped());
}

}  // namespace bertprep
