#include "io/process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <limits>
#include <sstream>
#include <string_view>

#include "base/number_text.h"
#include "bertprep/base/error.h"

namespace bertprep {
namespace {

// Field 22 of /proc/PID/stat (proc(5)), counted after the command, which may contain blanks; 0 if unreadable.
std::uint64_t start_of_process(std::uint64_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(file, line)) return 0;
  const std::size_t command_end = line.rfind(')');
  if (command_end == std::string::npos) return 0;
  std::istringstream fields(line.substr(command_end + 1));
  std::string field;
  constexpr int kFieldsBehindCommand = 20;
  for (int i = 0; i < kFieldsBehindCommand; ++i) {
    if (!(fields >> field)) return 0;
  }
  return field.find_first_not_of("0123456789") == std::string::npos ? std::stoull(field) : 0;
}

constexpr std::chrono::seconds kPatience{30};
constexpr std::chrono::milliseconds kBetweenTries{5};

FileDescriptor open_folder(const std::filesystem::path& folder) {
  return FileDescriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

namespace fs = std::filesystem;

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

std::uint64_t machine_bytes() {
  return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGE_SIZE));
}

// The number in the file; "max" or a missing file means no limit.
std::uint64_t limit_in(const fs::path& file) {
  std::string text;
  std::ifstream(file) >> text;
  return number_in<std::uint64_t>(text).value_or(kNoLimit);
}

// A cgroup's limit also applies to all groups within it. A container doesn't see the outer part of its path; its own
// limit is at the root of the mount.
std::uint64_t lowest_limit(const fs::path& mount, fs::path group, const char* file) {
  std::uint64_t lowest = limit_in(mount / file);
  for (; group.has_relative_path(); group = group.parent_path()) {
    lowest = std::min(lowest, limit_in(mount / group.relative_path() / file));
  }
  return lowest;
}

}  // namespace

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

ProcessIdentity ProcessIdentity::of_this_process() {
  const auto pid = static_cast<std::uint64_t>(::getpid());
  return {host_name(), pid, start_of_process(pid)};
}

bool ProcessIdentity::is_of_this_machine() const {
  return host == host_name();
}

bool ProcessIdentity::is_alive() const {
  if (pid == 0 || (::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH)) return false;
  const std::uint64_t now = start_of_process(pid);
  return start == 0 || now == 0 || now == start;
}

FolderLock::FolderLock(const std::filesystem::path& folder, const Progress& progress) {
  std::error_code ignored;  // a later write to it reports why
  std::filesystem::create_directories(folder, ignored);
  folder_ = open_folder(folder);
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (folder_.is_open() && !folder_.try_lock()) {
    if (errno != EWOULDBLOCK) return;
    if (progress.cancelled()) throw Cancelled();
    if (std::chrono::steady_clock::now() > end) {
      throw IoError::from_errno("another process is stuck at the start of its run here", folder, EAGAIN);
    }
    pause_for(kBetweenTries);
  }
}

FolderUse::FolderUse(const std::filesystem::path& folder) : folder_(open_folder(folder)) {
  if (folder_.is_open()) (void)::flock(folder_.number(), LOCK_SH | LOCK_NB);
}

bool FolderUse::is_seen(const std::filesystem::path& folder) {
  const FileDescriptor open = open_folder(folder);
  return open.is_open() && !open.try_lock() && errno == EWOULDBLOCK;
}

// The file may be removed by the one that held it: what is locked then has no name any more.
std::optional<FileClaim> FileClaim::take(const std::filesystem::path& file) {
  for (;;) {
    FileDescriptor held(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (!held.is_open() || !held.try_lock()) return std::nullopt;
    if (held.is_at(file)) return FileClaim(std::move(held));
  }
}

std::uint64_t peak_memory_bytes() {
  constexpr std::uint64_t kBytesOfUnit = 1024;
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * kBytesOfUnit;
}

std::uint64_t memory_limit_bytes(const fs::path& root) {
  std::uint64_t lowest = kNoLimit;
  std::ifstream groups(root / "proc/self/cgroup");
  // A line is "0::/path" of cgroups v2, "5:memory:/path" of v1.
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string_view kinds = std::string_view(line).substr(first + 1, second - first - 1);
    const fs::path group = line.substr(second + 1);
    if (kinds.empty()) lowest = std::min(lowest, lowest_limit(root / "sys/fs/cgroup", group, "memory.max"));
    if (kinds == "memory") {
      lowest = std::min(lowest, lowest_limit(root / "sys/fs/cgroup/memory", group, "memory.limit_in_bytes"));
    }
  }
  return lowest;
}

std::uint64_t usable_memory_bytes(const fs::path& root) {
  return std::min(machine_bytes(), memory_limit_bytes(root));
}

std::string environment_variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

void pause_for(std::chrono::milliseconds duration) {
  timespec time{};
  time.tv_sec = static_cast<time_t>(duration.count() / 1000);
  time.tv_nsec = static_cast<long>(duration.count() % 1000) * 1'000'000;
  ::nanosleep(&time, nullptr);
}

}  // namespace bertprep
