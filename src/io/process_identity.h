// ProcessIdentity: which process wrote something, and whether it still lives.
#pragma once

#include <cstdint>
#include <string>

namespace bertprep {

struct ProcessIdentity {
  std::string host;
  std::uint64_t pid = 0;
  std::uint64_t start = 0;  // in the system's own unit, tells processes of the same number apart; 0: not known

  static ProcessIdentity of_this_process();

  bool is_of_this_machine() const;
  // Of a process of this machine.
  bool is_alive() const;
};

}  // namespace bertprep
