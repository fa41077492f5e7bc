// Streams on the memory of the machine: work that is queued is done late, when somebody waits for it, so that what
// forgets to wait sees old values.
//
// The default stream does its work at once, as the code of a test is the computation that it stands for; a test may
// put its work off, too. Each thread has a default stream: it stands for a process.
#pragma once

#include <functional>

#include "stand_in/cuda_runtime_api.h"

namespace bertprep::test {

// Returns whether it is done; otherwise it is called again, and what comes after it waits.
using StreamWork = std::function<bool()>;
void enqueue(cudaStream_t stream, StreamWork work);
// From now on the default stream of this thread puts its work off, or no longer.
void put_default_stream_off(bool off);
// What the other streams of this thread may do now, they do.
void run_other_streams();

}  // namespace bertprep::test
