// ProcessGroup: the processes that train one model together, on one machine or several.
//
// Every call but rank() and its like is made by all processes, in the same order, and returns when the work is done.
// One call at a time in a process; it may come from any thread. Calls throw Error when another process is gone. Sums
// of floats are taken in the order of the ranks: they depend on the number of processes alone, not on the network, and
// all processes have the same bits.
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

  // `values` are cut into a part a rank, parts[rank] values long, which lie behind each other. The own part becomes the
  // sum of all processes', the rest stays as it is.
  virtual void reduce_scatter(std::span<float> values, std::span<const std::size_t> parts) = 0;
  // Every process gives its own part and gets the others'.
  virtual void all_gather(std::span<float> values, std::span<const std::size_t> parts) = 0;
  // For few numbers. The order of the additions is open.
  virtual void sum(std::span<double> values) = 0;
  // All get what process 0 has.
  virtual void broadcast(std::span<std::byte> bytes) = 0;
  virtual void barrier() = 0;

  // Ends all processes with `exit_status`; this one doesn't return from it where there are others.
  virtual void abort(int exit_status) = 0;
};

// `count` values cut into as equal parts as can be.
std::vector<std::size_t> equal_parts(std::size_t count, std::size_t processes);
// reduce_scatter, then all_gather, in equal parts.
void all_reduce(ProcessGroup& group, std::span<float> values);
// The text of process 0.
std::string broadcast_text(ProcessGroup& group, std::string text);

// The group of one.
std::unique_ptr<ProcessGroup> lone_process();
// The group that a launcher (mpirun, srun) has started this process for: by MPI, which is left when the group is
// destroyed; one at a time. Alone where there is no launcher, or it started a single process: MPI is not touched then.
// Throws ConfigError when there are several processes and the library was built without MPI.
std::unique_ptr<ProcessGroup> join_process_group();

}  // namespace bertprep
