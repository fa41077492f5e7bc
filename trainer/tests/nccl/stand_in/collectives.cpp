// Collectives through a file that all ranks map, processes or threads. Values are added in the order of the ranks. A
// rank that aborts the group breaks it for all: their work is never done, and the fault appears later.
#include "stand_in/collectives.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "stand_in/streams.h"

namespace {

constexpr std::size_t kSlotValues = 16384;

struct Slot {
  std::size_t kind = 0, count = 0;
  float values[kSlotValues];
};

struct Shared {
  std::atomic<int> arrived, round, broken;
  Slot slots[8];
};

thread_local ncclResult_t next_start = ncclSuccess;
thread_local int given_up = 0;
thread_local int left = 0;
thread_local bool in_group = false;
struct Queued {
  cudaStream_t stream;
  bertprep::test::StreamWork work;
};
thread_local std::vector<Queued> group;

}  // namespace

struct ncclComm {
  Shared* shared = nullptr;
  int rank = 0, size = 1;
  ncclResult_t error = ncclSuccess;

  // Whether all have come.
  bool meet() const {
    const int round = shared->round;
    if (++shared->arrived == size) {
      shared->arrived = 0;
      ++shared->round;
      return true;
    }
    while (shared->round == round && shared->broken == 0) std::this_thread::yield();
    return shared->round != round;
  }
};

namespace {

using Take = std::function<void(std::size_t begin, std::size_t count)>;

// Shares `count` values with all, part by part, and calls take(begin, count) while they are visible.
bool exchange(ncclComm& comm, std::size_t kind, const float* from, std::size_t count, const Take& take) {
  for (std::size_t begin = 0; begin < count; begin += kSlotValues) {
    const std::size_t part = std::min(kSlotValues, count - begin);
    Slot& own = comm.shared->slots[comm.rank];
    own.kind = kind;
    own.count = count;
    std::copy_n(from + begin, part, own.values);
    bool agree = comm.meet();
    for (int i = 0; i < comm.size && agree; ++i) {
      agree = comm.shared->slots[i].kind == kind && comm.shared->slots[i].count == count;
    }
    if (!agree) {
      comm.error = comm.shared->broken != 0 ? ncclRemoteError : ncclInvalidUsage;
      return false;
    }
    take(begin, part);
    if (!comm.meet()) {
      comm.error = ncclRemoteError;
      return false;
    }
  }
  return true;
}

float sum_of(const ncclComm& comm, std::size_t index) {
  float sum = comm.shared->slots[0].values[index];
  for (int i = 1; i < comm.size; ++i) sum += comm.shared->slots[i].values[index];
  return sum;
}

ncclResult_t add_work(cudaStream_t stream, ncclComm_t comm, const std::function<bool()>& work) {
  const auto careful = [comm, work] { return comm->error == ncclSuccess && work(); };
  if (in_group) {
    group.push_back({stream, careful});
  } else {
    bertprep::test::enqueue(stream, careful);
  }
  return ncclSuccess;
}

ncclResult_t leave(ncclComm_t comm) {
  munmap(comm->shared, sizeof(Shared));
  delete comm;
  return ncclSuccess;
}

// Values [first, last) of the sum.
ncclResult_t reduce(const void* from, void* to, std::size_t count, std::size_t first, std::size_t last, ncclComm_t comm,
                    cudaStream_t stream) {
  return add_work(stream, comm, [=] {
    const auto* values = static_cast<const float*>(from);
    auto* sums = static_cast<float*>(to);
    return exchange(*comm, 1, values, count, [=](std::size_t begin, std::size_t part) {
      for (std::size_t i = std::max(first, begin); i < std::min(last, begin + part); ++i) {
        sums[i - first] = sum_of(*comm, i - begin);
      }
    });
  });
}

}  // namespace

namespace bertprep::test {

void fail_next_start(ncclResult_t result) {
  next_start = result;
}

int groups_given_up() {
  return given_up;
}

int groups_left() {
  return left;
}

}  // namespace bertprep::test

const char* ncclGetErrorString(ncclResult_t result) {
  switch (result) {
    case ncclSystemError:
      return "a call of the system failed (stand-in)";
    case ncclRemoteError:
      return "another process is gone (stand-in)";
    case ncclInvalidUsage:
      return "wrong use (stand-in)";
    default:
      return "an error (stand-in)";
  }
}

const char* ncclGetLastError(ncclComm_t) {
  return "details of the stand-in";
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  std::snprintf(id->internal, sizeof id->internal, "/tmp/bertprep_stand_in_XXXXXX");
  const int file = mkstemp(id->internal);
  if (file < 0 || ftruncate(file, sizeof(Shared)) != 0) return ncclSystemError;
  close(file);
  return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank) {
  if (const ncclResult_t result = std::exchange(next_start, ncclSuccess); result != ncclSuccess) {
    unlink(id.internal);
    return result;
  }
  const int file = open(id.internal, O_RDWR);
  if (file < 0) return ncclSystemError;
  void* const memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) return ncclSystemError;
  *comm = new ncclComm{static_cast<Shared*>(memory), rank, ranks};
  if (!(*comm)->meet()) return ncclRemoteError;
  if (rank == 0) unlink(id.internal);
  return ncclSuccess;
}

ncclResult_t ncclCommFinalize(ncclComm_t comm) {
  return comm->meet() ? ncclSuccess : ncclRemoteError;
}

ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  ++left;
  return leave(comm);
}

ncclResult_t ncclCommAbort(ncclComm_t comm) {
  ++given_up;
  comm->shared->broken = 1;
  return leave(comm);
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* error) {
  *error = comm->error;
  return ncclSuccess;
}

ncclResult_t ncclGroupStart() {
  in_group = true;
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd() {
  if (!in_group) return ncclInvalidUsage;
  in_group = false;
  for (Queued& queued : std::exchange(group, {})) bertprep::test::enqueue(queued.stream, std::move(queued.work));
  return ncclSuccess;
}

ncclResult_t ncclAllReduce(const void* from, void* to, std::size_t count, ncclDataType_t, ncclRedOp_t, ncclComm_t comm,
                           cudaStream_t stream) {
  return reduce(from, to, count, 0, count, comm, stream);
}

ncclResult_t ncclReduce(const void* from, void* to, std::size_t count, ncclDataType_t, ncclRedOp_t, int root,
                        ncclComm_t comm, cudaStream_t stream) {
  return reduce(from, to, count, 0, comm->rank == root ? count : 0, comm, stream);
}

ncclResult_t ncclReduceScatter(const void* from, void* to, std::size_t own_count, ncclDataType_t, ncclRedOp_t,
                               ncclComm_t comm, cudaStream_t stream) {
  const std::size_t first = own_count * static_cast<std::size_t>(comm->rank);
  return reduce(from, to, own_count * static_cast<std::size_t>(comm->size), first, first + own_count, comm, stream);
}

ncclResult_t ncclBroadcast(const void* from, void* to, std::size_t count, ncclDataType_t, int root, ncclComm_t comm,
                           cudaStream_t stream) {
  return add_work(stream, comm, [=] {
    auto* values = static_cast<float*>(to);
    return exchange(*comm, 100 + static_cast<std::size_t>(root), static_cast<const float*>(from), count,
                    [=](std::size_t begin, std::size_t part) {
                      std::copy_n(comm->shared->slots[root].values, part, values + begin);
                    });
  });
}

ncclResult_t ncclAllGather(const void* from, void* to, std::size_t own_count, ncclDataType_t, ncclComm_t comm,
                           cudaStream_t stream) {
  return add_work(stream, comm, [=] {
    auto* values = static_cast<float*>(to);
    return exchange(*comm, 2, static_cast<const float*>(from), own_count, [=](std::size_t begin, std::size_t part) {
      for (int i = 0; i < comm->size; ++i) {
        std::copy_n(comm->shared->slots[i].values, part, values + static_cast<std::size_t>(i) * own_count + begin);
      }
    });
  });
}
