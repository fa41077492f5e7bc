// Streams in host memory: queued work is done late, only when waited for, so that code that forgets to wait sees old
// values.
//
// The default stream does its work at once, as the code of a test is the computation that it represents; a test may
// also defer its work. Each thread has a default stream: it represents a process.
#pragma once

#include <functional>

#include "stand_in/cuda_runtime_api.h"

namespace bertprep::test {

// Returns whether it is done; otherwise it is called again, and later work waits.
using StreamWork = std::function<bool()>;
void enqueue(cudaStream_t stream, StreamWork work);
// Sets whether the default stream of this thread defers its work.
void put_default_stream_off(bool off);
// Runs all work of this thread's other streams that is ready.
void run_other_streams();

}  // namespace bertprep::test
