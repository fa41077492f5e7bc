// DeviceGroup: the processes of a group that train on a GPU each. The GPUs exchange values directly, by NCCL.
//
// An exchange is queued, on a stream of the group's own, and the call returns at once. It begins when the default
// stream of the GPU has done what it was given before: gradients go out while the rest of the backward pass is still
// computed. The default stream is where libtorch works as long as nobody gives it another one.
// Pointers are to memory of the GPU, which must last until the default stream has passed the next join().
// All processes make the same calls in the same order, one at a time in a process, from any thread. Calls throw
// Error when NCCL reports a fault; nothing but the destructor may be called then.
// Sums are NCCL's. All processes have the same bits; in what order it adds is its own affair, and may change with the
// number of processes, the network and its version.
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
  // Waits for the exchanges under way, and for the other processes to leave. Where an exception is on its way, or a
  // call has thrown, all that is given up, for the others too.
  virtual ~DeviceGroup() = default;

  // `sums`, which may be `values`, becomes the sum of all processes' values.
  virtual void all_reduce(const float* values, float* sums, std::size_t count) = 0;
  // As those of ProcessGroup. Equal parts are the fastest.
  virtual void reduce_scatter(float* values, std::span<const std::size_t> parts) = 0;
  virtual void all_gather(float* values, std::span<const std::size_t> parts) = 0;
  // All get what process 0 has.
  virtual void broadcast(float* values, std::size_t count) = 0;

  // What the default stream is given from now on begins when the exchanges above are done. Returns at once.
  virtual void join() = 0;
  // Returns when all that was joined is done, looking out for faults meanwhile.
  virtual void wait() = 0;
  // Seconds for which joins have held up the default stream, as far as wait() has seen.
  virtual double waited_seconds() const = 0;
};

// All processes call it, each with another GPU of its machine. `processes` carries a name to all and is not needed
// after. Throws ConfigError when the library was built without NCCL.
std::unique_ptr<DeviceGroup> join_device_group(ProcessGroup& processes, int device);

// The GPUs of this machine that the process may use. Throws as join_device_group() does.
int count_devices();
// "0000:1b:00.0".
std::string device_address(int device);

// An array in the memory of a GPU, for those who have no libtorch. Copies are made on the default stream and done on
// return.
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
