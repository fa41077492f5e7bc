#include "trainer/distributed/timed_group.h"

#include <chrono>

namespace bertprep {

template <class Call>
void TimedGroup::timed(Call call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void TimedGroup::reduce_scatter(std::span<float> values, std::span<const std::size_t> parts) {
  timed([&] { group_.reduce_scatter(values, parts); });
}

void TimedGroup::all_gather(std::span<float> values, std::span<const std::size_t> parts) {
  timed([&] { group_.all_gather(values, parts); });
}

void TimedGroup::sum(std::span<double> values) {
  timed([&] { group_.sum(values); });
}

void TimedGroup::broadcast(std::span<std::byte> bytes) {
  timed([&] { group_.broadcast(bytes); });
}

void TimedGroup::barrier() {
  timed([&] { group_.barrier(); });
}

}  // namespace bertprep
