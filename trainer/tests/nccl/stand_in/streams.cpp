#include "stand_in/streams.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <vector>

using bertprep::test::StreamWork;

struct CUstream_st {
  std::deque<StreamWork> queue;
  bool at_once = false;

  // Whether anything could be done.
  bool step() {
    if (queue.empty()) return false;
    const StreamWork work = queue.front();
    if (!work()) return false;
    queue.pop_front();
    return true;
  }
  void drain() {
    while (step()) continue;
  }
};

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kDevices = 8;

struct EventState {
  CUstream_st* stream = nullptr;
  int recorded = 0, done = 0;
  Clock::time_point time;
};

thread_local std::vector<CUstream_st*> other_streams;
// Whether waiting for a stream lets it work.
thread_local bool waiting_helps = true;

CUstream_st& default_stream() {
  thread_local CUstream_st stream{.queue = {}, .at_once = true};
  return stream;
}

CUstream_st& stream_of(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy ? default_stream() : *stream;
}

}  // namespace

struct CUevent_st {
  std::shared_ptr<EventState> state = std::make_shared<EventState>();
};

namespace bertprep::test {

void enqueue(cudaStream_t stream, StreamWork work) {
  CUstream_st& target = stream_of(stream);
  target.queue.push_back(std::move(work));
  if (target.at_once) target.drain();
}

void put_default_stream_off(bool off) {
  default_stream().at_once = !off;
  if (!off) default_stream().drain();
}

void run_other_streams() {
  waiting_helps = false;
  for (CUstream_st* const stream : other_streams) stream->drain();
  waiting_helps = true;
}

}  // namespace bertprep::test

const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaErrorInvalidDevice ? "no such device (stand-in)" : "an error (stand-in)";
}

cudaError_t cudaSetDevice(int device) {
  return device >= 0 && device < kDevices ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaGetDeviceCount(int* count) {
  *count = kDevices;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  std::snprintf(text, static_cast<std::size_t>(length), "0000:%02X:00.0", 0x1A + device);
  return cudaSuccess;
}

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  *memory = std::malloc(bytes);
  return *memory == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
}

cudaError_t cudaFree(void* memory) {
  std::free(memory);
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
  default_stream().drain();
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = other_streams.emplace_back(new CUstream_st);
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  std::erase(other_streams, stream);
  delete stream;
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  *event = new CUevent_st;
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  event->state->stream = &stream_of(stream);
  bertprep::test::enqueue(stream, [state = event->state, number = ++event->state->recorded] {
    state->done = number;
    state->time = Clock::now();
    return true;
  });
  return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  bertprep::test::enqueue(stream, [state = event->state, number = event->state->recorded] {
    while (waiting_helps && state->done < number && state->stream->step()) continue;
    return state->done >= number;
  });
  return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  EventState& state = *event->state;
  if (state.done == state.recorded) return cudaSuccess;
  state.stream->step();
  return cudaErrorNotReady;
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  *milliseconds = std::chrono::duration<float, std::milli>(end->state->time - start->state->time).count();
  return cudaSuccess;
}
