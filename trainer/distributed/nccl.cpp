// DeviceGroup by NCCL.
//
// The stream of the exchanges and the default stream do not block each other; only events order them.
// NCCL's reduce-scatter and all-gather require parts of equal length. For others, a group of reductions or broadcasts,
// one for each part's owner, is executed together.
#include <cuda_runtime_api.h>
#include <nccl.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "bertprep/base/error.h"
#include "trainer/distributed/cuda_call.h"
#include "trainer/distributed/device_group.h"

namespace bertprep {
namespace {

// Interval for polling whether the GPU is done.
constexpr std::chrono::microseconds kNap{20};
// The default stream, by the name that does not depend on how the source is compiled.
const cudaStream_t kDefaultStream = cudaStreamLegacy;

class Event {
 public:
  explicit Event(unsigned flags) { check_cuda(cudaEventCreateWithFlags(&event_, flags), "creating an event"); }
  ~Event() { static_cast<void>(cudaEventDestroy(event_)); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void record(cudaStream_t stream) { check_cuda(cudaEventRecord(event_, stream), "recording an event"); }
  void hold_up(cudaStream_t stream) { check_cuda(cudaStreamWaitEvent(stream, event_, 0), "waiting for an event"); }
  bool is_done() const {
    const cudaError_t result = cudaEventQuery(event_);
    if (result != cudaErrorNotReady) check_cuda(result, "work of the GPU");
    return result == cudaSuccess;
  }
  double seconds_since(const Event& before) const {
    float milliseconds = 0;
    check_cuda(cudaEventElapsedTime(&milliseconds, before.event_, event_), "measuring time on the GPU");
    return static_cast<double>(milliseconds) / 1e3;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

class Stream {
 public:
  Stream() { check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream"); }
  ~Stream() { static_cast<void>(cudaStreamDestroy(stream_)); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

// Where the default stream begins to wait for the exchanges.
struct SyncPoint {
  Event computed{cudaEventDefault}, exchanged{cudaEventDefault};
};

class NcclGroup final : public DeviceGroup {
 public:
  NcclGroup(ProcessGroup& processes, int device);
  ~NcclGroup() override;
  NcclGroup(const NcclGroup&) = delete;
  NcclGroup& operator=(const NcclGroup&) = delete;

  void all_reduce(const float* values, float* sums, std::size_t count) override;
  void reduce_scatter(float* values, std::span<const std::size_t> parts) override;
  void all_gather(float* values, std::span<const std::size_t> parts) override;
  void broadcast(float* values, std::size_t count) override;
  void join() override;
  void wait() override;
  double waited_seconds() const override { return waited_seconds_; }

 private:
  bool leave() noexcept;
  void check(ncclResult_t result, const char* what);
  void check_in_background();
  void begin();
  template <class Call>
  void for_each_part(float* values, std::span<const std::size_t> parts, const char* what, Call call);

  int device_;
  int rank_, size_;
  int exceptions_ = std::uncaught_exceptions();
  bool failed_ = false;
  Stream stream_;
  Event computed_{cudaEventDisableTiming};
  std::vector<std::unique_ptr<SyncPoint>> open_, done_;
  double waited_seconds_ = 0;
  ncclComm_t communicator_ = nullptr;
};

int on_device(int device) {
  use_device(device);
  return device;
}

NcclGroup::NcclGroup(ProcessGroup& processes, int device)
    : device_(on_device(device)), rank_(static_cast<int>(processes.rank())), size_(static_cast<int>(processes.size())) {
  ncclUniqueId name{};
  if (rank_ == 0) check(ncclGetUniqueId(&name), "naming the group of GPUs");
  processes.broadcast(std::as_writable_bytes(std::span(&name, 1)));
  check(ncclCommInitRank(&communicator_, size_, name, rank_), "connecting the GPUs");
}

NcclGroup::~NcclGroup() {
  if (communicator_ == nullptr) return;
  static_cast<void>(cudaSetDevice(device_));
  if (!leave()) static_cast<void>(ncclCommAbort(communicator_));
}

// All processes leave together, after pending exchanges, but not if this one fails, as the others don't know.
bool NcclGroup::leave() noexcept {
  if (failed_ || std::uncaught_exceptions() > exceptions_) return false;
  try {
    join();
    wait();
    check(ncclCommFinalize(communicator_), "leaving the group of GPUs");
    static_cast<void>(ncclCommDestroy(communicator_));
    return true;
  } catch (const Error&) {
    return false;
  }
}

void NcclGroup::check(ncclResult_t result, const char* what) {
  if (result == ncclSuccess) return;
  failed_ = true;
  std::string text = std::string(what) + " failed: " + ncclGetErrorString(result);
  const char* const details = ncclGetLastError(communicator_);
  if (details != nullptr && *details != '\0') text += " (" + std::string(details) + ")";
  throw Error(text, {}, "another process may have ended, its own message says why; NCCL_DEBUG=WARN shows more");
}

// Reports asynchronous faults, after a call had returned.
void NcclGroup::check_in_background() {
  ncclResult_t result = ncclSuccess;
  check(ncclCommGetAsyncError(communicator_, &result), "watching the GPUs");
  if (result != ncclInProgress) check(result, "exchanging values between GPUs");
}

void NcclGroup::begin() {
  use_device(device_);
  computed_.record(kDefaultStream);
  computed_.hold_up(stream_.get());
}

void NcclGroup::all_reduce(const float* values, float* sums, std::size_t count) {
  begin();
  check(ncclAllReduce(values, sums, count, ncclFloat32, ncclSum, communicator_, stream_.get()), "adding up gradients");
}

bool are_equal(std::span<const std::size_t> parts) {
  return std::adjacent_find(parts.begin(), parts.end(), std::not_equal_to<>()) == parts.end();
}

// Calls call(first value, values, rank) for the part of each rank, as one exchange.
template <class Call>
void NcclGroup::for_each_part(float* values, std::span<const std::size_t> parts, const char* what, Call call) {
  check(ncclGroupStart(), what);
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    if (parts[rank] > 0) check(call(values, parts[rank], static_cast<int>(rank)), what);
    values += parts[rank];
  }
  check(ncclGroupEnd(), what);
}

void NcclGroup::reduce_scatter(float* values, std::span<const std::size_t> parts) {
  constexpr const char* kWhat = "adding up gradients";
  begin();
  if (are_equal(parts)) {
    float* const own = values + static_cast<std::size_t>(rank_) * parts[0];
    check(ncclReduceScatter(values, own, parts[0], ncclFloat32, ncclSum, communicator_, stream_.get()), kWhat);
    return;
  }
  for_each_part(values, parts, kWhat, [&](float* part, std::size_t count, int owner) {
    return ncclReduce(part, part, count, ncclFloat32, ncclSum, owner, communicator_, stream_.get());
  });
}

void NcclGroup::all_gather(float* values, std::span<const std::size_t> parts) {
  constexpr const char* kWhat = "gathering values";
  begin();
  if (are_equal(parts)) {
    const float* const own = values + static_cast<std::size_t>(rank_) * parts[0];
    check(ncclAllGather(own, values, parts[0], ncclFloat32, communicator_, stream_.get()), kWhat);
    return;
  }
  for_each_part(values, parts, kWhat, [&](float* part, std::size_t count, int owner) {
    return ncclBroadcast(part, part, count, ncclFloat32, owner, communicator_, stream_.get());
  });
}

void NcclGroup::broadcast(float* values, std::size_t count) {
  begin();
  check(ncclBroadcast(values, values, count, ncclFloat32, 0, communicator_, stream_.get()), "sending to all");
}

void NcclGroup::join() {
  use_device(device_);
  if (done_.empty()) done_.push_back(std::make_unique<SyncPoint>());
  open_.push_back(std::move(done_.back()));
  done_.pop_back();
  SyncPoint& point = *open_.back();
  point.computed.record(kDefaultStream);
  point.exchanged.record(stream_.get());
  point.exchanged.hold_up(kDefaultStream);
}

void NcclGroup::wait() {
  use_device(device_);
  for (std::unique_ptr<SyncPoint>& point : open_) {
    while (!point->computed.is_done() || !point->exchanged.is_done()) {
      check_in_background();
      std::this_thread::sleep_for(kNap);
    }
    waited_seconds_ += std::max(0.0, point->exchanged.seconds_since(point->computed));
    done_.push_back(std::move(point));
  }
  open_.clear();
  check_in_background();
}

}  // namespace

std::unique_ptr<DeviceGroup> join_device_group(ProcessGroup& processes, int device) {
  return std::make_unique<NcclGroup>(processes, device);
}

}  // namespace bertprep
