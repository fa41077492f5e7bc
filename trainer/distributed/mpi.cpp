// ProcessGroup by MPI.
//
// Floats are exchanged (MPI_Alltoallv) and added here, rank by rank: MPI's own reductions may choose a different order
// depending on network, message size or version. The amount of data on the network is the same as with its best
// algorithms.
#include <mpi.h>

#include <algorithm>
#include <climits>
#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "bertprep/trainer/process_group.h"
#include "trainer/distributed/launcher.h"

namespace bertprep {
namespace {

// This many sums stay in the L1 cache while the values of all ranks are added to them.
constexpr std::size_t kSumsAtOnce = 4096;

void check(int result, const char* what) {
  if (result == MPI_SUCCESS) return;
  std::string text(MPI_MAX_ERROR_STRING, '\0');
  int length = 0;
  MPI_Error_string(result, text.data(), &length);
  text.resize(static_cast<std::size_t>(length));
  throw Error(std::string(what) + " failed: " + text, {}, "another process may have ended; its own message says why");
}

struct Layout {
  std::vector<int> counts, offsets;
};

Layout layout_of(std::span<const std::size_t> parts) {
  Layout layout;
  std::size_t offset = 0;
  for (const std::size_t part : parts) {
    if (offset + part > INT_MAX) throw ConfigError("a bucket is too large for MPI", {}, "give a smaller `bucket_mb`");
    layout.counts.push_back(static_cast<int>(part));
    layout.offsets.push_back(static_cast<int>(offset));
    offset += part;
  }
  return layout;
}

class MpiGroup final : public ProcessGroup {
 public:
  MpiGroup();
  ~MpiGroup() override;
  MpiGroup(const MpiGroup&) = delete;
  MpiGroup& operator=(const MpiGroup&) = delete;

  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return size_; }
  std::size_t rank_here() const override { return rank_here_; }
  std::size_t size_here() const override { return size_here_; }
  void reduce_scatter(std::span<float> values, std::span<const std::size_t> parts) override;
  void all_gather(std::span<float> values, std::span<const std::size_t> parts) override;
  void sum(std::span<double> values) override;
  void broadcast(std::span<std::byte> bytes) override;
  void barrier() override { check(MPI_Barrier(MPI_COMM_WORLD), "waiting for the other processes"); }
  void abort(int exit_status) override { MPI_Abort(MPI_COMM_WORLD, exit_status); }

 private:
  void add_up(std::span<float> own) const;

  std::size_t rank_ = 0, size_ = 1, rank_here_ = 0, size_here_ = 1;
  std::vector<float> received_;  // this process's part, from each rank
};

MpiGroup::MpiGroup() {
  int level = 0;
  check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level), "starting MPI");
  if (level < MPI_THREAD_SERIALIZED) throw Error("this MPI can't be called from more than one thread");
  check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "starting MPI");
  const auto numbers = [](MPI_Comm processes, std::size_t& rank, std::size_t& size) {
    int value = 0;
    check(MPI_Comm_rank(processes, &value), "starting MPI");
    rank = static_cast<std::size_t>(value);
    check(MPI_Comm_size(processes, &value), "starting MPI");
    size = static_cast<std::size_t>(value);
  };
  numbers(MPI_COMM_WORLD, rank_, size_);
  MPI_Comm here = MPI_COMM_NULL;
  check(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here), "starting MPI");
  numbers(here, rank_here_, size_here_);
  MPI_Comm_free(&here);
}

MpiGroup::~MpiGroup() {
  MPI_Finalize();
}

void MpiGroup::reduce_scatter(std::span<float> values, std::span<const std::size_t> parts) {
  const Layout layout = layout_of(parts);
  const std::size_t own = parts[rank_];
  const Layout arriving = layout_of(std::vector<std::size_t>(size_, own));
  received_.resize(size_ * own);
  check(MPI_Alltoallv(values.data(), layout.counts.data(), layout.offsets.data(), MPI_FLOAT, received_.data(),
                      arriving.counts.data(), arriving.offsets.data(), MPI_FLOAT, MPI_COMM_WORLD),
        "exchanging gradients");
  add_up(values.subspan(static_cast<std::size_t>(layout.offsets[rank_]), own));
}

void MpiGroup::add_up(std::span<float> own) const {
  for (std::size_t begin = 0; begin < own.size(); begin += kSumsAtOnce) {
    const std::size_t count = std::min(kSumsAtOnce, own.size() - begin);
    float* const sums = own.data() + begin;
    std::copy_n(received_.data() + begin, count, sums);
    for (std::size_t rank = 1; rank < size_; ++rank) {
      const float* const values = received_.data() + rank * own.size() + begin;
      for (std::size_t i = 0; i < count; ++i) sums[i] += values[i];
    }
  }
}

void MpiGroup::all_gather(std::span<float> values, std::span<const std::size_t> parts) {
  const Layout layout = layout_of(parts);
  check(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values.data(), layout.counts.data(), layout.offsets.data(),
                       MPI_FLOAT, MPI_COMM_WORLD),
        "gathering values");
}

void MpiGroup::sum(std::span<double> values) {
  check(
      MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD),
      "adding up");
}

void MpiGroup::broadcast(std::span<std::byte> bytes) {
  constexpr std::size_t kMax = std::size_t{1} << 30;
  for (std::size_t begin = 0; begin < bytes.size(); begin += kMax) {
    const std::size_t count = std::min(kMax, bytes.size() - begin);
    check(MPI_Bcast(bytes.data() + begin, static_cast<int>(count), MPI_BYTE, 0, MPI_COMM_WORLD), "sending to all");
  }
}

}  // namespace

std::unique_ptr<ProcessGroup> join_process_group() {
  if (!has_launcher()) return lone_process();
  return std::make_unique<MpiGroup>();
}

// "Open MPI v4.1.4, package: Debian OpenMPI, ident: ...": the text before the comma.
std::optional<LibraryVersion> version_of_mpi() {
  std::string text(MPI_MAX_LIBRARY_VERSION_STRING, '\0');
  int length = 0;
  if (MPI_Get_library_version(text.data(), &length) != MPI_SUCCESS) return LibraryVersion{"MPI", {}, "unknown"};
  text.resize(static_cast<std::size_t>(length));
  return LibraryVersion{"MPI", {}, text.substr(0, text.find_first_of(",\n"))};
}

}  // namespace bertprep
