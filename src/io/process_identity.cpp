#include "io/process_identity.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <sstream>

namespace bertprep {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

// Field 22 of /proc/PID/stat (proc(5)), counted behind the command, which may hold blanks; 0 when it can't be read.
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

}  // namespace

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

}  // namespace bertprep
