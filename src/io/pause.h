// Waiting, for rooms without threads.
#pragma once

#include <chrono>

namespace bertprep {

// Returns earlier when a signal comes.
void pause_for(std::chrono::milliseconds duration);

}  // namespace bertprep
