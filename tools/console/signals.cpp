#include "console/signals.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

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

}  // namespace bertprep::cli
