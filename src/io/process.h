// This process among the others: who it is and who still lives, its turn in a folder, its memory, waiting.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>

#include "bertprep/base/progress.h"

namespace bertprep {

// The machine's name; "localhost" where the system tells none.
std::string host_name();

// ProcessIdentity: which process wrote something, and whether it still lives.
struct ProcessIdentity {
  std::string host;
  std::uint64_t pid = 0;
  std::uint64_t start = 0;  // in the system's own unit, tells processes of the same number apart; 0: not known

  static ProcessIdentity of_this_process();

  bool is_of_this_machine() const;
  // Of a process of this machine.
  bool is_alive() const;
};

// FolderLock: a step that one process at a time takes in a folder. The system drops the lock when the process ends,
// however that happens.
//
// File systems that know no locks of folders, NFS among them, give none: then the step is taken without it.
class FolderLock {
 public:
  // Waits for others in `folder`, which is made if it isn't there, for as long as such a step may take. Throws IoError
  // when they take longer, and Cancelled when `progress` says so.
  FolderLock(const std::filesystem::path& folder, const Progress& progress);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;  // below 0: without a lock
};

// FolderUse: that somebody works in a folder, for as long as the object lives. Several may do so at once.
class FolderUse {
 public:
  explicit FolderUse(const std::filesystem::path& folder);
  ~FolderUse();
  FolderUse(FolderUse&& other) noexcept;
  FolderUse& operator=(FolderUse&&) = delete;

  // Whether somebody does. False where there are no locks.
  static bool is_seen(const std::filesystem::path& folder);

 private:
  int descriptor_;  // below 0: without a lock
};

// The memory that this process may use.

// That of the machine, or the limit of a cgroup (v1 or v2) that holds the process, if it is lower: of a container, or a
// job of a batch system. `root` stands for / in tests.
std::uint64_t usable_memory_bytes(const std::filesystem::path& root = "/");

// The most memory that this process has had at once, as the system counts it.
std::uint64_t peak_memory_bytes();

// Waiting, for rooms without threads.

// Returns earlier when a signal comes.
void pause_for(std::chrono::milliseconds duration);

}  // namespace bertprep
