#include "console/process_limits.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <tuple>

#include "console/console.h"

namespace bertprep::cli {
namespace {

constexpr rlim_t kKibibyte = 1024;
constexpr rlim_t kEnoughStack = 8192 * kKibibyte;
constexpr rlim_t kLeastStack = 512 * kKibibyte;

}  // namespace

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
