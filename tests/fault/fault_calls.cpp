// Replacements of the C library's calls that fault_call.h counts.
#include "fault_call.h"

#include <dirent.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/uio.h>

#include <new>

namespace {

using namespace fault;

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
// errno is thread-local, as is everything here except the count.
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
  // Files opened for reading have nothing to lose; HDF5 1.10 does not survive a failing close.
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

int renameat2(int old_folder, const char* from, int new_folder, const char* to, unsigned int flags) {
  const Path path = path_at(new_folder, to);
  const Call call("rename", path.text, path_at(old_folder, from).text);
  return call.fails() ? -1 : static_cast<int>(::syscall(SYS_renameat2, old_folder, from, new_folder, to, flags));
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

// Wraps `main`, which the start-up code calls after constructing constants.
using Main = int (*)(int, char**, char**);
Main real_main = nullptr;

int counted_main(int count, char** arguments, char** environment) {
  is_in_main = true;
  const int status = real_main(count, arguments, environment);
  is_in_main = is_at_work = false;
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
  const Call call("allocation", __builtin_return_address(0));
  void* memory = call.fails() ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

// Only libraries allocate without exceptions, and they may mishandle null: simdjson 3.0 writes through it.
[[gnu::visibility("default")]] void* operator new(std::size_t bytes, const std::nothrow_t& /*tag*/) noexcept {
  return std::malloc(bytes == 0 ? 1 : bytes);
}

[[gnu::visibility("default")]] void* operator new[](std::size_t bytes, const std::nothrow_t& /*tag*/) noexcept {
  return std::malloc(bytes == 0 ? 1 : bytes);
}

[[gnu::visibility("default")]] void operator delete(void* memory) noexcept {
  std::free(memory);
}

[[gnu::visibility("default")]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
