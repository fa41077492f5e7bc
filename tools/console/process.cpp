#include "console/process.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <tuple>

#include "console/console.h"

namespace bertprep::cli {
namespace {

// Written by whichever thread a signal interrupts, read by all.
std::atomic<int> received = 0;
std::atomic<int> line_is_shown = 0;
static_assert(std::atomic<int>::is_always_lock_free, "signal handlers may not wait for a lock");

void end_now(int signal) {
  constexpr char kClear[] = "\r\033[J";
  if (line_is_shown != 0 && ::write(STDERR_FILENO, kClear, sizeof kClear - 1) < 0) line_is_shown = 0;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void remember(int signal) {
  received = signal;
  std::signal(signal, end_now);
}

constexpr rlim_t kKibibyte = 1024;
constexpr rlim_t kEnoughStack = 8192 * kKibibyte;
constexpr rlim_t kLeastStack = 512 * kKibibyte;

}  // namespace

void watch_signals() {
  std::signal(SIGINT, remember);
  std::signal(SIGTERM, remember);
  // A file over the limit of ulimit -f must give an error message instead of ending the program.
  std::signal(SIGXFSZ, SIG_IGN);
}

void end_at_signals() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

void clear_line_when_ended(bool is_shown) {
  line_is_shown = is_shown ? 1 : 0;
}

int signal_received() {
  return received;
}

void allow_many_open_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  // Enlarges the table of open files while there is one thread: with more, Linux waits some 10 ms for all processors.
  constexpr int kEnough = 1023;
  const int high = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, kEnough);
  if (high >= 0) ::close(high);
}

// The limit counts when the stack grows, so it need not have been there at the start.
void require_stack(const char* program) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kLeastStack) return;
  limit.rlim_cur = std::min(limit.rlim_max, kEnoughStack);
  ::setrlimit(RLIMIT_STACK, &limit);
  if (limit.rlim_cur >= kLeastStack) return;
  // stdio and exceptions would need more stack than there is.
  const std::string text = std::string(program) + ": error: the stack is limited to " +
                           std::to_string(limit.rlim_cur / kKibibyte) + " KiB (ulimit -s); allow at least " +
                           std::to_string(kLeastStack / kKibibyte) + " KiB: ulimit -s unlimited\n";
  std::ignore = ::write(STDERR_FILENO, text.data(), text.size());
  std::_Exit(kFailed);
}

}  // namespace bertprep::cli
