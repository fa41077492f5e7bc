// ProcessGroup: the processes that train one model together, on one machine or several.
//
// All processes must make every call except rank(), size() and the like, in the same order; each call returns when the
// work is done. A process makes one call at a time, from any thread. Calls throw Error if another process is gone.
// Floats are summed in the order of the ranks: the sums depend only on the number of processes, not on the network, and
// all processes get the same bits.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace bertprep {

class ProcessGroup {
 public:
  virtual ~ProcessGroup() = default;

  virtual std::size_t rank() const = 0;
  virtual std::size_t size() const = 0;
  // Among the processes of this machine.
  virtual std::size_t rank_here() const = 0;
  virtual std::size_t size_here() const = 0;

  // `values` consist of one part per rank, in order, each parts[rank] values long. The part of this process becomes the
  // sum over all processes; the other parts do not change.
  virtual void reduce_scatter(std::span<float> values, std::span<const std::size_t> parts) = 0;
  // Every process contributes its part and gets the others.
  virtual void all_gather(std::span<float> values, std::span<const std::size_t> parts) = 0;
  // For a few numbers. The order of the additions is unspecified.
  virtual void sum(std::span<double> values) = 0;
  // All processes get the bytes of process 0.
  virtual void broadcast(std::span<std::byte> bytes) = 0;
  virtual void barrier() = 0;

  // Ends all processes with `exit_status`; does not return if there are other processes.
  virtual void abort(int exit_status) = 0;
};

// `count` values split into parts that are as equal as possible.
std::vector<std::size_t> equal_parts(std::size_t count, std::size_t processes);
// reduce_scatter, then all_gather, in equal parts.
void all_reduce(ProcessGroup& group, std::span<float> values);
// The text of process 0.
std::string broadcast_text(ProcessGroup& group, std::string text);

// The group of one.
std::unique_ptr<ProcessGroup> lone_process();
// The group for which a launcher (mpirun, srun) started this process. It uses MPI, which is finalized when the group is
// destroyed; only one group may exist at a time. Without a launcher, or if it started a single process, the group has
// one process and does not use MPI. Throws ConfigError if there are several processes and the library was built without
// MPI.
std::unique_ptr<ProcessGroup> join_process_group();

}  // namespace bertprep
