// How many threads this process can have. Limits of processes (ulimit -u, the pids of a container) and of memory
// (ulimit -v) allow fewer than a machine has processors, and libraries end the process where one that they count on
// can't be had.
#pragma once

#include <cstddef>

namespace bertprep {

// At most `wanted`, this thread included; at least 1. Begins as many and ends them again: some 20 µs each.
std::size_t threads_to_be_had(std::size_t wanted);

}  // namespace bertprep
