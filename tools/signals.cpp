#include "signals.h"

#include <csignal>

namespace bertprep::cli {
namespace {

volatile std::sig_atomic_t received = 0;

void remember(int signal) {
  received = signal;
  std::signal(signal, SIG_DFL);
}

}  // namespace

void watch_signals() {
  std::signal(SIGINT, remember);
  std::signal(SIGTERM, remember);
  // A file over the limit of ulimit -f is an error with a message, not a death.
  std::signal(SIGXFSZ, SIG_IGN);
}

void end_at_signals() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

int signal_received() {
  return received;
}

}  // namespace bertprep::cli
