// DeviceGroup: the processes of a group that train on one GPU each. The GPUs exchange values directly, by NCCL.
//
// An exchange is queued on the group's own stream, and the call returns at once. It begins when the default stream of
// the GPU has finished earlier work: gradients are exchanged while the rest of the backward pass is still computed.
// libtorch uses the default stream unless given another one.
// Pointers are to GPU memory, which must stay valid until the default stream has passed the next join().
// All processes make the same calls in the same order, one at a time in a process, from any thread. Calls throw Error
// if NCCL reports a fault; then only the destructor may be called.
// Sums are NCCL's. All processes get the same bits, but the order of additions may change with the number of processes,
// the network and the version of NCCL.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/library_version.h"
#include "bertprep/trainer/process_group.h"

namespace bertprep {

class DeviceGroup {
 public:
  // Waits for pending exchanges, and for the other processes to leave. During an exception, or after a call has thrown,
  // aborts all of it, for the others too.
  virtual ~DeviceGroup() = default;

  // `sums`, which may be `values`, becomes the sum of all processes' values.
  virtual void all_reduce(const float* values, float* sums, std::size_t count) = 0;
  // As those of ProcessGroup. Equal parts are the fastest.
  virtual void reduce_scatter(float* values, std::span<const std::size_t> parts) = 0;
  virtual void all_gather(float* values, std::span<const std::size_t> parts) = 0;
  // All get the values of process 0.
  virtual void broadcast(float* values, std::size_t count) = 0;

  // Later work of the default stream begins after the exchanges above. Returns at once.
  virtual void join() = 0;
  // Waits for all joined exchanges, checking for faults meanwhile.
  virtual void wait() = 0;
  // Seconds for which joins have blocked the default stream, as measured by wait().
  virtual double waited_seconds() const = 0;
};

// All processes must call it, each with a different GPU of its machine. `processes` is used only during the call.
// Throws ConfigError if the library was built without NCCL.
std::unique_ptr<DeviceGroup> join_device_group(ProcessGroup& processes, int device);

// The GPUs of this machine that the process may use. Throws as join_device_group().
int count_devices();
// "0000:1b:00.0".
std::string device_address(int device);

// An array in GPU memory, for code without libtorch. Copies use the default stream and are complete on return.
class DeviceValues {
 public:
  virtual ~DeviceValues() = default;
  virtual float* data() = 0;
  virtual void set(std::span<const float> values) = 0;
  virtual void get(std::span<float> values) const = 0;
};
std::unique_ptr<DeviceValues> make_device_values(int device, std::size_t count);

// Of NCCL; nothing in builds without it.
std::optional<LibraryVersion> version_of_nccl();

}  // namespace bertprep
