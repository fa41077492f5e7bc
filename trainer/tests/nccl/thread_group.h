// Threads that represent processes.
#pragma once

#include <functional>

#include "bertprep/trainer/process_group.h"

namespace bertprep::test {

// Calls body(processes) in `count` threads, each of which is one process of the group. Rethrows the exception of the
// lowest rank that threw.
void run_as_processes(std::size_t count, const std::function<void(ProcessGroup&)>& body);

}  // namespace bertprep::test
