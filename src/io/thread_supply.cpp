#include "io/thread_supply.h"

#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <mutex>
#include <vector>

namespace bertprep {
namespace {

// As large as the stacks of oneTBB's threads.
constexpr std::size_t kStackBytes = std::size_t{4} << 20U;
// Where address space is limited, each thread also needs some for its heap and its work.
constexpr std::size_t kLimitedStackBytes = std::size_t{128} << 20U;

bool has_limited_addresses() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

void* wait_at(void* gate) {
  const std::lock_guard passed(*static_cast<std::mutex*>(gate));
  return nullptr;
}

class StackSize {
 public:
  explicit StackSize(std::size_t bytes) {
    ::pthread_attr_init(&attributes_);
    ::pthread_attr_setstacksize(&attributes_, bytes);
  }
  ~StackSize() { ::pthread_attr_destroy(&attributes_); }
  StackSize(const StackSize&) = delete;
  StackSize& operator=(const StackSize&) = delete;

  const pthread_attr_t* attributes() const { return &attributes_; }

 private:
  pthread_attr_t attributes_;
};

}  // namespace

std::size_t threads_to_be_had(std::size_t wanted) {
  const StackSize stack(has_limited_addresses() ? kLimitedStackBytes : kStackBytes);
  std::vector<pthread_t> threads;
  threads.reserve(std::max<std::size_t>(wanted, 1) - 1);
  std::mutex gate;
  {
    // All are there at the same time.
    const std::lock_guard closed(gate);
    for (pthread_t thread{}; threads.size() + 1 < wanted; threads.push_back(thread)) {
      if (::pthread_create(&thread, stack.attributes(), wait_at, &gate) != 0) break;
    }
  }
  for (const pthread_t thread : threads) ::pthread_join(thread, nullptr);
  return threads.size() + 1;
}

}  // namespace bertprep
