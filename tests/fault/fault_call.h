// Fault injection: a library for LD_PRELOAD that counts the calls of a program which change or read files below given
// folders, and makes one of them fail.
//
//   FAULT_ROOTS   folders that count, separated by colons
//   FAULT_CALLS   calls that count, separated by commas: open_read open_write read write sync rename link unlink mkdir
//                 truncate close map list; "allocation" counts operator new, from the first of these calls to the end
//                 of main; default: all but that
//   FAULT_AT      the call to hit, from 1
//   FAULT_KIND    the name of an error (EIO, ENOSPC, EACCES, ENOMEM, ESTALE, EMFILE), SHORT (half of a read or write),
//                 KILL (SIGKILL before the call) or KILL_AFTER
//   FAULT_STICKY  1: later calls of FAULT_CALLS fail too
//   FAULT_TRACE   a file that gets one line per call: number, call, inode, bytes of the file before, path, and for
//                 rename and link the old path, with tabs between them; without FAULT_AT nothing fails
//
// The library uses only system calls, so that it can run before any constructor of the program.
#pragma once

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace fault {

constexpr std::size_t kPathBytes = 4096;

enum class Kind { kNone, kError, kShort, kKill, kKillAfter };

struct Errno {
  const char* name;
  int value;
};
constexpr Errno kErrors[] = {{"EIO", EIO},       {"ENOSPC", ENOSPC}, {"EACCES", EACCES},
                             {"ENOMEM", ENOMEM}, {"ESTALE", ESTALE}, {"EMFILE", EMFILE}};

inline const char* variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

struct Settings {
  const char* roots = variable("FAULT_ROOTS");
  const char* calls = variable("FAULT_CALLS");
  const char* trace = variable("FAULT_TRACE");
  long at = std::atol(variable("FAULT_AT"));
  bool sticky = std::strcmp(variable("FAULT_STICKY"), "1") == 0;
  Kind kind = Kind::kNone;
  int error = EIO;

  Settings() {
    const char* name = variable("FAULT_KIND");
    if (std::strcmp(name, "SHORT") == 0) kind = Kind::kShort;
    if (std::strcmp(name, "KILL") == 0) kind = Kind::kKill;
    if (std::strcmp(name, "KILL_AFTER") == 0) kind = Kind::kKillAfter;
    for (const Errno& known : kErrors) {
      if (std::strcmp(name, known.name) != 0) continue;
      kind = Kind::kError;
      error = known.value;
    }
  }
};

inline const Settings& settings() {
  static const Settings read_once;
  return read_once;
}

inline std::atomic<long> calls_counted{0};
// A program whose constants or options don't fit into memory never starts, and reports nothing.
inline std::atomic<bool> is_in_main{false};
inline std::atomic<bool> is_at_work{false};

// Where simdjson is in memory: without memory, its first use, which chooses its instructions, ends the program.
struct Library {
  const char* name;
  std::uintptr_t begin = 0, end = 0;
};

inline int find_library(dl_phdr_info* loaded, std::size_t /*size*/, void* sought) {
  auto& library = *static_cast<Library*>(sought);
  if (std::strstr(loaded->dlpi_name, library.name) == nullptr) return 0;
  library.begin = loaded->dlpi_addr;
  for (const ElfW(Phdr)* part = loaded->dlpi_phdr; part != loaded->dlpi_phdr + loaded->dlpi_phnum; ++part) {
    library.end = std::max<std::uintptr_t>(library.end, loaded->dlpi_addr + part->p_vaddr + part->p_memsz);
  }
  return 1;
}

inline bool is_of_simdjson(const void* caller) {
  static const Library library = [] {
    Library sought{"/libsimdjson.so"};
    ::dl_iterate_phdr(find_library, &sought);
    return sought;
  }();
  const auto place = reinterpret_cast<std::uintptr_t>(caller);
  return place >= library.begin && place < library.end;
}

struct Path {
  char text[kPathBytes] = "";
};

inline void read_link(const char* link, Path& path) {
  const long length = ::syscall(SYS_readlink, link, path.text, kPathBytes - 1);
  path.text[length > 0 ? length : 0] = '\0';
}

inline Path path_of(int descriptor) {
  char link[64];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  Path path;
  read_link(link, path);
  return path;
}

inline Path path_at(int folder, const char* name) {
  Path path;
  if (name[0] == '/') {
    std::snprintf(path.text, kPathBytes, "%s", name);
    return path;
  }
  Path base;
  if (folder == AT_FDCWD) {
    if (::syscall(SYS_getcwd, base.text, kPathBytes) < 0) base.text[0] = '\0';
  } else {
    base = path_of(folder);
  }
  std::snprintf(path.text, kPathBytes, "%.2000s/%.2000s", base.text, name);
  return path;
}

// Whether `text` is one of a list; with `prefix`, whether one of the list begins it.
inline bool is_listed(const char* list, char separator, const char* text, bool prefix) {
  while (*list != '\0') {
    const char* end = std::strchr(list, separator);
    const std::size_t length = end == nullptr ? std::strlen(list) : static_cast<std::size_t>(end - list);
    if (length > 0 && std::strncmp(list, text, length) == 0 && (prefix || text[length] == '\0')) return true;
    if (end == nullptr) return false;
    list = end + 1;
  }
  return false;
}

inline struct stat status_of(const char* path) {
  struct stat status {};
  if (::lstat(path, &status) != 0) status = {};
  return status;
}

inline void add_to_trace(long number, const char* call, const char* path, const char* old_path) {
  char line[2 * kPathBytes];
  const struct stat status = status_of(old_path[0] == '\0' ? path : old_path);
  const int length =
      std::snprintf(line, sizeof line, "%ld\t%s\t%lu\t%ld\t%.3500s\t%.3500s\n", number, call,
                    static_cast<unsigned long>(status.st_ino), static_cast<long>(status.st_size), path, old_path);
  const long file = ::syscall(SYS_openat, AT_FDCWD, settings().trace, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) return;
  (void)!::syscall(SYS_write, file, line, length);
  ::syscall(SYS_close, file);
}

[[noreturn]] inline void end_here() {
  ::kill(::getpid(), SIGKILL);
  for (;;) ::pause();
}

// One counted call: decides whether it fails, and kills the process before or after it.
class Call {
 public:
  Call(const char* call, const char* path, const char* old_path = "") {
    const Settings& now = settings();
    if (!is_listed(now.roots, ':', path, true)) return;
    if (is_in_main) is_at_work = true;
    if (now.calls[0] != '\0' && !is_listed(now.calls, ',', call, false)) return;
    decide(now, call, path, old_path);
  }
  // operator new has no path, but a caller.
  Call(const char* call, const void* caller) {
    if (!is_at_work || is_of_simdjson(caller)) return;
    if (is_listed(settings().calls, ',', call, false)) decide(settings(), call, "", "");
  }
  ~Call() {
    if (kind_ == Kind::kKillAfter) end_here();
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  // True if the call must fail; errno is set.
  bool fails() const {
    if (kind_ != Kind::kError) return false;
    errno = settings().error;
    return true;
  }
  std::size_t shortened(std::size_t bytes) const { return kind_ == Kind::kShort && bytes > 1 ? bytes / 2 : bytes; }

 private:
  void decide(const Settings& now, const char* call, const char* path, const char* old_path) {
    const int error = errno;
    const long number = ++calls_counted;
    if (now.trace[0] != '\0') add_to_trace(number, call, path, old_path);
    errno = error;
    if (now.at <= 0 || number < now.at || (number > now.at && !now.sticky)) return;
    kind_ = now.kind;
    if (kind_ == Kind::kKill) end_here();
  }

  Kind kind_ = Kind::kNone;
};

}  // namespace fault
