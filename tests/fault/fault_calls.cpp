// Fault injection: a library for LD_PRELOAD that counts the calls of a program which change or read files below given
// folders, and lets one of them fail.
//
//   FAULT_ROOTS   folders that count, separated by colons
//   FAULT_CALLS   calls that count, separated by commas: open_read open_write read write sync rename link unlink mkdir
//                 truncate close map list; "allocation" counts operator new, wherever main calls it; default: all but
//                 that
//   FAULT_AT      the call to hit, from 1
//   FAULT_KIND    the name of an error (EIO, ENOSPC, EACCES, ENOMEM, ESTALE, EMFILE), SHORT (half of a read or write),
//                 KILL (SIGKILL before the call) or KILL_AFTER
//   FAULT_STICKY  1: later calls of FAULT_CALLS fail too
//   FAULT_TRACE   a file that gets a line a call: number, call, inode, path, and for rename and link the old path, with
//                 tabs between them; without FAULT_AT nothing fails
//
// The library keeps to system calls, so that it can run before any constructor of the program.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

constexpr std::size_t kPathBytes = 4096;

enum class Kind { kNone, kError, kShort, kKill, kKillAfter };

struct Errno {
  const char* name;
  int value;
};
constexpr Errno kErrors[] = {{"EIO", EIO},       {"ENOSPC", ENOSPC}, {"EACCES", EACCES},
                             {"ENOMEM", ENOMEM}, {"ESTALE", ESTALE}, {"EMFILE", EMFILE}};

const char* variable(const char* name) {
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

const Settings& settings() {
  static const Settings read_once;
  return read_once;
}

std::atomic<long> calls_counted{0};
// A program whose constants don't fit into memory never begins, and has nothing to say.
std::atomic<bool> is_begun{false};

bool main_is_running() {
  return is_begun;
}

struct Path {
  char text[kPathBytes] = "";
};

void read_link(const char* link, Path& path) {
  const long length = ::syscall(SYS_readlink, link, path.text, kPathBytes - 1);
  path.text[length > 0 ? length : 0] = '\0';
}

Path path_of(int descriptor) {
  char link[64];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  Path path;
  read_link(link, path);
  return path;
}

Path path_at(int folder, const char* name) {
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
bool is_listed(const char* list, char separator, const char* text, bool prefix) {
  while (*list != '\0') {
    const char* end = std::strchr(list, separator);
    const std::size_t length = end == nullptr ? std::strlen(list) : static_cast<std::size_t>(end - list);
    if (length > 0 && std::strncmp(list, text, length) == 0 && (prefix || text[length] == '\0')) return true;
    if (end == nullptr) return false;
    list = end + 1;
  }
  return false;
}

unsigned long inode_of(const char* path) {
  struct stat status {};
  return ::lstat(path, &status) == 0 ? status.st_ino : 0;
}

void add_to_trace(long number, const char* call, const char* path, const char* old_path) {
  char line[2 * kPathBytes];
  const int length = std::snprintf(line, sizeof line, "%ld\t%s\t%lu\t%.3500s\t%.3500s\n", number, call,
                                   inode_of(old_path[0] == '\0' ? path : old_path), path, old_path);
  const long file = ::syscall(SYS_openat, AT_FDCWD, settings().trace, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) return;
  (void)!::syscall(SYS_write, file, line, length);
  ::syscall(SYS_close, file);
}

[[noreturn]] void end_here() {
  ::kill(::getpid(), SIGKILL);
  for (;;) ::pause();
}

// One counted call: says whether it fails, and kills the process before or after it.
class Call {
 public:
  Call(const char* call, const char* path, const char* old_path = "") {
    const Settings& now = settings();
    if (!is_listed(now.roots, ':', path, true)) return;
    if (now.calls[0] != '\0' && !is_listed(now.calls, ',', call, false)) return;
    decide(now, call, path, old_path);
  }
  // operator new has no path.
  explicit Call(const char* call) {
    if (!main_is_running()) return;
    if (is_listed(settings().calls, ',', call, false)) decide(settings(), call, "", "");
  }
  ~Call() {
    if (kind_ == Kind::kKillAfter) end_here();
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  // True when the call has to fail; errno is set.
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

template <typename Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

int open_file(int folder, const char* name, int flags, mode_t mode) {
  const Path path = path_at(folder, name);
  const Call call((flags & (O_CREAT | O_WRONLY | O_RDWR)) != 0 ? "open_write" : "open_read", path.text);
  if (call.fails()) return -1;
  return static_cast<int>(::syscall(SYS_openat, folder, name, flags, mode));
}

FILE* open_stream(const char* symbol, const char* name, const char* mode) {
  using Function = FILE* (*)(const char*, const char*);
  const bool reads = mode[0] == 'r' && std::strchr(mode, '+') == nullptr;
  const Path path = path_at(AT_FDCWD, name);
  const Call call(reads ? "open_read" : "open_write", path.text);
  return call.fails() ? nullptr : next<Function>(symbol)(name, mode);
}

mode_t mode_of(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

int sync_call(int descriptor, long system_call, const char* name) {
  const Path path = path_of(descriptor);
  const Call call(name, path.text);
  return call.fails() ? -1 : static_cast<int>(::syscall(system_call, descriptor));
}

void* map(void* address, std::size_t length, int protection, int flags, int descriptor, off_t offset) {
  if (descriptor < 0) {
    return reinterpret_cast<void*>(::syscall(SYS_mmap, address, length, protection, flags, descriptor, offset));
  }
  const Path path = path_of(descriptor);
  const Call call("map", path.text);
  if (call.fails()) return MAP_FAILED;
  return reinterpret_cast<void*>(::syscall(SYS_mmap, address, length, protection, flags, descriptor, offset));
}

}  // namespace

// glibc has several names for some calls: with 64-bit offsets, and checked ones of programs built with _FORTIFY_SOURCE.
// errno is thread-local, and so is everything else here but the count.
extern "C" {

#pragma GCC visibility push(default)

int open(const char* name, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_file(AT_FDCWD, name, flags, mode);
}

int open64(const char* name, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_file(AT_FDCWD, name, flags | O_LARGEFILE, mode);
}

int openat(int folder, const char* name, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_file(folder, name, flags, mode);
}

int openat64(int folder, const char* name, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_file(folder, name, flags | O_LARGEFILE, mode);
}

int __open_2(const char* name, int flags) {
  return open_file(AT_FDCWD, name, flags, 0);
}

int __open64_2(const char* name, int flags) {
  return open_file(AT_FDCWD, name, flags | O_LARGEFILE, 0);
}

FILE* fopen(const char* name, const char* mode) {
  return open_stream("fopen", name, mode);
}

FILE* fopen64(const char* name, const char* mode) {
  return open_stream("fopen64", name, mode);
}

DIR* opendir(const char* name) {
  const Path path = path_at(AT_FDCWD, name);
  const Call call("list", path.text);
  return call.fails() ? nullptr : next<DIR* (*)(const char*)>("opendir")(name);
}

int close(int descriptor) {
  // What was only read has nothing to lose; HDF5 1.10 does not survive that its close fails.
  if ((::fcntl(descriptor, F_GETFL) & O_ACCMODE) == O_RDONLY) {
    return static_cast<int>(::syscall(SYS_close, descriptor));
  }
  const Path path = path_of(descriptor);
  const Call call("close", path.text);
  const int result = static_cast<int>(::syscall(SYS_close, descriptor));
  return call.fails() ? -1 : result;
}

ssize_t write(int descriptor, const void* bytes, std::size_t size) {
  const Path path = path_of(descriptor);
  const Call call("write", path.text);
  return call.fails() ? -1 : ::syscall(SYS_write, descriptor, bytes, call.shortened(size));
}

ssize_t pwrite(int descriptor, const void* bytes, std::size_t size, off_t offset) {
  const Path path = path_of(descriptor);
  const Call call("write", path.text);
  return call.fails() ? -1 : ::syscall(SYS_pwrite64, descriptor, bytes, call.shortened(size), offset);
}

ssize_t pwrite64(int descriptor, const void* bytes, std::size_t size, off_t offset) {
  return pwrite(descriptor, bytes, size, offset);
}

ssize_t writev(int descriptor, const struct iovec* parts, int count) {
  const Path path = path_of(descriptor);
  const Call call("write", path.text);
  if (call.fails()) return -1;
  if (count > 0 && call.shortened(parts[0].iov_len) != parts[0].iov_len) {
    return ::syscall(SYS_write, descriptor, parts[0].iov_base, call.shortened(parts[0].iov_len));
  }
  return ::syscall(SYS_writev, descriptor, parts, count);
}

ssize_t read(int descriptor, void* bytes, std::size_t size) {
  const Path path = path_of(descriptor);
  const Call call("read", path.text);
  return call.fails() ? -1 : ::syscall(SYS_read, descriptor, bytes, call.shortened(size));
}

ssize_t __read_chk(int descriptor, void* bytes, std::size_t size, std::size_t) {
  return read(descriptor, bytes, size);
}

ssize_t pread(int descriptor, void* bytes, std::size_t size, off_t offset) {
  const Path path = path_of(descriptor);
  const Call call("read", path.text);
  return call.fails() ? -1 : ::syscall(SYS_pread64, descriptor, bytes, call.shortened(size), offset);
}

ssize_t pread64(int descriptor, void* bytes, std::size_t size, off_t offset) {
  return pread(descriptor, bytes, size, offset);
}

ssize_t __pread_chk(int descriptor, void* bytes, std::size_t size, off_t offset, std::size_t) {
  return pread(descriptor, bytes, size, offset);
}

ssize_t __pread64_chk(int descriptor, void* bytes, std::size_t size, off_t offset, std::size_t) {
  return pread(descriptor, bytes, size, offset);
}

int fsync(int descriptor) {
  return sync_call(descriptor, SYS_fsync, "sync");
}

int fdatasync(int descriptor) {
  return sync_call(descriptor, SYS_fdatasync, "sync");
}

int syncfs(int descriptor) {
  return sync_call(descriptor, SYS_syncfs, "sync_all");
}

int ftruncate(int descriptor, off_t size) {
  const Path path = path_of(descriptor);
  const Call call("truncate", path.text);
  return call.fails() ? -1 : static_cast<int>(::syscall(SYS_ftruncate, descriptor, size));
}

int ftruncate64(int descriptor, off_t size) {
  return ftruncate(descriptor, size);
}

int rename(const char* from, const char* to) {
  const Path path = path_at(AT_FDCWD, to);
  const Call call("rename", path.text, path_at(AT_FDCWD, from).text);
  return call.fails() ? -1 : static_cast<int>(::syscall(SYS_rename, from, to));
}

int link(const char* from, const char* to) {
  const Path path = path_at(AT_FDCWD, to);
  const Call call("link", path.text, path_at(AT_FDCWD, from).text);
  return call.fails() ? -1 : static_cast<int>(::syscall(SYS_link, from, to));
}

int unlinkat(int folder, const char* name, int flags) {
  const Path path = path_at(folder, name);
  const Call call("unlink", path.text);
  return call.fails() ? -1 : static_cast<int>(::syscall(SYS_unlinkat, folder, name, flags));
}

int unlink(const char* name) {
  return unlinkat(AT_FDCWD, name, 0);
}

int rmdir(const char* name) {
  return unlinkat(AT_FDCWD, name, AT_REMOVEDIR);
}

int remove(const char* name) {
  const int result = unlinkat(AT_FDCWD, name, 0);
  return result != 0 && errno == EISDIR ? rmdir(name) : result;
}

int mkdir(const char* name, mode_t mode) {
  const Path path = path_at(AT_FDCWD, name);
  const Call call("mkdir", path.text);
  return call.fails() ? -1 : static_cast<int>(::syscall(SYS_mkdir, name, mode));
}

void* mmap(void* address, std::size_t length, int protection, int flags, int descriptor, off_t offset) {
  return map(address, length, protection, flags, descriptor, offset);
}

void* mmap64(void* address, std::size_t length, int protection, int flags, int descriptor, off_t offset) {
  return map(address, length, protection, flags, descriptor, offset);
}

#pragma GCC visibility pop
}

// What the start-up code of a program calls, once its constants are made, is `main` itself; it is called through here.
using Main = int (*)(int, char**, char**);
Main real_main = nullptr;

int counted_main(int count, char** arguments, char** environment) {
  is_begun = true;
  const int status = real_main(count, arguments, environment);
  is_begun = false;
  return status;
}

extern "C" [[gnu::visibility("default")]] int __libc_start_main(Main main, int count, char** arguments, void (*init)(),
                                                                void (*fini)(), void (*loader_fini)(),
                                                                void* stack_end) {
  real_main = main;
  static const auto real = next<decltype(&__libc_start_main)>("__libc_start_main");
  return real(counted_main, count, arguments, init, fini, loader_fini, stack_end);
}

[[gnu::visibility("default")]] void* operator new(std::size_t bytes) {
  const Call call("allocation");
  void* memory = call.fails() ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

[[gnu::visibility("default")]] void operator delete(void* memory) noexcept {
  std::free(memory);
}

[[gnu::visibility("default")]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
