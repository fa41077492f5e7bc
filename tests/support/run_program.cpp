#include "support/run_program.h"

#include <fcntl.h>
#include <grp.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <thread>

namespace bertprep::test {
namespace {

constexpr ::uid_t kNobody = 65534;
constexpr int kNotStarted = 127;

// A file in memory: unlike a pipe it never fills up.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes = {}) : descriptor_(::memfd_create("stream", MFD_CLOEXEC)) {
    if (descriptor_ < 0 || ::write(descriptor_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
      throw std::runtime_error(std::string("memfd: ") + std::strerror(errno));
    }
    ::lseek(descriptor_, 0, SEEK_SET);
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int descriptor() const { return descriptor_; }

  std::string bytes() const {
    std::string bytes(static_cast<std::size_t>(::lseek(descriptor_, 0, SEEK_END)), '\0');
    const ssize_t count = ::pread(descriptor_, bytes.data(), bytes.size(), 0);
    bytes.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
    return bytes;
  }

 private:
  int descriptor_;
};

[[noreturn]] void give_up(const char* what) {
  const std::string message = std::string(what) + ": " + std::strerror(errno) + "\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, message.data(), message.size());
  ::_exit(kNotStarted);
}

void require(bool success, const char* what) {
  if (!success) give_up(what);
}

void limit_file_size(std::uint64_t bytes) {
  const ::rlimit limit{bytes, bytes};
  require(::setrlimit(RLIMIT_FSIZE, &limit) == 0, "setrlimit");
}

void become_nobody() {
  require(::setgroups(0, nullptr) == 0 && ::setgid(kNobody) == 0 && ::setuid(kNobody) == 0, "setuid");
}

// Replaces the child by the program. Opens it before dropping rights, as it may be in a private folder.
[[noreturn]] void become(const std::vector<std::string>& command, const RunOptions& options, const int (&streams)[3]) {
  for (int i = 0; i < 3; ++i) require(::dup2(streams[i], i) == i, "dup2");
  if (!options.folder.empty()) require(::chdir(options.folder.c_str()) == 0, "chdir");
  for (const auto& [name, value] : options.environment) ::setenv(name.c_str(), value.c_str(), 1);
  const int program = ::open(command.front().c_str(), O_RDONLY | O_CLOEXEC);
  require(program >= 0, command.front().c_str());
  if (options.file_size_limit_bytes != 0) limit_file_size(options.file_size_limit_bytes);
  if (options.as_nobody && ::geteuid() == 0) become_nobody();
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  ::fexecve(program, arguments.data(), environ);
  give_up(command.front().c_str());
}

int open_output(const RunOptions& options, const MemoryFile& memory) {
  if (options.output.empty()) return ::dup(memory.descriptor());
  return ::open(options.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

void wait_for(::pid_t child, Finished& finished) {
  int status = 0;
  ::rusage usage{};
  while (::wait4(child, &status, 0, &usage) < 0) {
    if (errno != EINTR) throw std::runtime_error("wait4");
  }
  if (WIFEXITED(status)) finished.exit_status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) finished.signal = WTERMSIG(status);
  finished.peak_memory_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace

Finished run_program(const std::vector<std::string>& command, const RunOptions& options) {
  const MemoryFile in(options.input);
  const MemoryFile out;
  const MemoryFile err;
  const int output = open_output(options, out);
  if (output < 0) throw std::runtime_error("can't write " + options.output.string());

  const auto started = std::chrono::steady_clock::now();
  const ::pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork");
  if (child == 0) become(command, options, {in.descriptor(), output, err.descriptor()});
  ::close(output);
  if (options.signal != 0) {
    std::this_thread::sleep_for(options.after);
    ::kill(child, options.signal);
  }
  Finished finished;
  wait_for(child, finished);
  finished.duration = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - started);
  finished.out = out.bytes();
  finished.err = err.bytes();
  if (finished.exit_status == kNotStarted) throw std::runtime_error("not started: " + finished.err);
  return finished;
}

std::vector<std::string> mpirun(const std::string& launcher, int processes) {
  return {launcher,
          "-np",
          std::to_string(processes),
          "--oversubscribe",
          "--allow-run-as-root",
          "--bind-to",
          "none",
          "--mca",
          "mpi_yield_when_idle",
          "1",
          "--mca",
          "btl_vader_single_copy_mechanism",
          "none"};
}

}  // namespace bertprep::test
