// This process and others: identity, liveness, locks of folders, memory, environment, waiting.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "bertprep/base/progress.h"
#include "io/file_descriptor.h"

namespace bertprep {

// The machine's name; "localhost" if the system doesn't give one.
std::string host_name();

// ProcessIdentity: which process wrote something, and whether it is still alive.
struct ProcessIdentity {
  std::string host;
  std::uint64_t pid = 0;
  std::uint64_t start = 0;  // in the system's own unit, distinguishes processes that had the same number; 0: unknown

  static ProcessIdentity of_this_process();

  bool is_of_this_machine() const;
  bool is_this_process() const { return is_of_this_machine() && pid == of_this_process().pid; }
  // Of a process of this machine.
  bool is_alive() const;
};

// FolderLock: lets one process at a time take a step in a folder. The system releases the lock when the process ends,
// however it ends.
//
// On file systems that can't lock folders, such as NFS, the step is taken without a lock.
class FolderLock {
 public:
  // Makes `folder` if needed, and waits for other processes for as long as such a step may take. Throws IoError if they
  // take longer, and Cancelled.
  FolderLock(const std::filesystem::path& folder, const Progress& progress);

 private:
  FileDescriptor folder_;  // none: without a lock
};

// FolderUse: marks a folder as in use during its lifetime. Several may exist at once.
class FolderUse {
 public:
  explicit FolderUse(const std::filesystem::path& folder);

  // Whether a process uses the folder. False without locks.
  static bool is_seen(const std::filesystem::path& folder);

 private:
  FileDescriptor folder_;  // none: without a lock
};

// FileClaim: a file that one process at a time holds, until it ends, however it ends.
class FileClaim {
 public:
  // Makes the file if needed. Nothing if another process holds it, or the file system has no locks.
  static std::optional<FileClaim> take(const std::filesystem::path& file);

 private:
  explicit FileClaim(FileDescriptor file) : file_(std::move(file)) {}

  FileDescriptor file_;
};

// The memory that this process may use.

// The lowest limit of the cgroups (v1 or v2) of the process: of its container or batch job; the largest number if there
// is none. `root` replaces / in tests.
std::uint64_t memory_limit_bytes(const std::filesystem::path& root = "/");
// The memory of the machine, or that limit if it is lower.
std::uint64_t usable_memory_bytes(const std::filesystem::path& root = "/");

// The peak memory of this process, as the system counts it.
std::uint64_t peak_memory_bytes();

// A variable of its environment; empty when it is not set.
std::string environment_variable(const char* name);

// Waiting, for rooms without threads.

// Returns earlier if a signal arrives.
void pause_for(std::chrono::milliseconds duration);

}  // namespace bertprep
