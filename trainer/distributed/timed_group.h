// TimedGroup: a ProcessGroup that measures the time of its calls.
#pragma once

#include <chrono>

#include "bertprep/trainer/process_group.h"

namespace bertprep {

class TimedGroup final : public ProcessGroup {
 public:
  // `group` must outlive the object.
  explicit TimedGroup(ProcessGroup& group) : group_(group) {}

  std::size_t rank() const override { return group_.rank(); }
  std::size_t size() const override { return group_.size(); }
  std::size_t rank_here() const override { return group_.rank_here(); }
  std::size_t size_here() const override { return group_.size_here(); }
  void reduce_scatter(std::span<float> values, std::span<const std::size_t> parts) override {
    timed([&] { group_.reduce_scatter(values, parts); });
  }
  void all_gather(std::span<float> values, std::span<const std::size_t> parts) override {
    timed([&] { group_.all_gather(values, parts); });
  }
  void sum(std::span<double> values) override {
    timed([&] { group_.sum(values); });
  }
  void broadcast(std::span<std::byte> bytes) override {
    timed([&] { group_.broadcast(bytes); });
  }
  void barrier() override {
    timed([&] { group_.barrier(); });
  }
  void abort(int exit_status) override { group_.abort(exit_status); }

  double seconds() const { return seconds_; }

 private:
  template <class Call>
  void timed(Call call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  ProcessGroup& group_;
  double seconds_ = 0;
};

}  // namespace bertprep
