#include "thread_group.h"

#include <algorithm>
#include <barrier>
#include <exception>
#include <thread>
#include <vector>

namespace bertprep::test {
namespace {

struct Meeting {
  explicit Meeting(std::size_t size)
      : everybody(static_cast<std::ptrdiff_t>(size)), values(size), numbers(size), bytes(size) {}
  std::barrier<> everybody;
  std::vector<std::span<float>> values;
  std::vector<std::vector<double>> numbers;
  std::vector<std::span<std::byte>> bytes;
};

class ThreadGroup final : public ProcessGroup {
 public:
  ThreadGroup(Meeting& meeting, std::size_t rank) : meeting_(meeting), rank_(rank) {}
  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return meeting_.values.size(); }
  std::size_t rank_here() const override { return rank_; }
  std::size_t size_here() const override { return size(); }
  void barrier() override { meeting_.everybody.arrive_and_wait(); }
  void abort(int) override {}

  void reduce_scatter(std::span<float> values, std::span<const std::size_t> parts) override {
    meeting_.values[rank_] = values;
    barrier();
    const std::size_t begin = begin_of(parts, rank_);
    for (std::size_t i = begin; i < begin + parts[rank_]; ++i) {
      float sum = meeting_.values[0][i];
      for (std::size_t rank = 1; rank < size(); ++rank) sum += meeting_.values[rank][i];
      values[i] = sum;
    }
    barrier();
  }

  void all_gather(std::span<float> values, std::span<const std::size_t> parts) override {
    meeting_.values[rank_] = values;
    barrier();
    for (std::size_t rank = 0; rank < size(); ++rank) {
      const std::size_t begin = begin_of(parts, rank);
      if (rank != rank_) std::copy_n(meeting_.values[rank].begin() + begin, parts[rank], values.begin() + begin);
    }
    barrier();
  }

  void sum(std::span<double> values) override {
    meeting_.numbers[rank_].assign(values.begin(), values.end());
    barrier();
    std::fill(values.begin(), values.end(), 0.0);
    for (const std::vector<double>& numbers : meeting_.numbers) {
      for (std::size_t i = 0; i < values.size(); ++i) values[i] += numbers[i];
    }
    barrier();
  }

  void broadcast(std::span<std::byte> bytes) override {
    meeting_.bytes[rank_] = bytes;
    barrier();
    if (rank_ != 0) std::copy_n(meeting_.bytes[0].begin(), bytes.size(), bytes.begin());
    barrier();
  }

 private:
  static std::size_t begin_of(std::span<const std::size_t> parts, std::size_t rank) {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < rank; ++i) begin += parts[i];
    return begin;
  }

  Meeting& meeting_;
  std::size_t rank_;
};

}  // namespace

void run_as_processes(std::size_t count, const std::function<void(ProcessGroup&)>& body) {
  Meeting meeting(count);
  std::vector<std::exception_ptr> thrown(count);
  {
    std::vector<std::jthread> threads;
    for (std::size_t rank = 0; rank < count; ++rank) {
      threads.emplace_back([&, rank] {
        ThreadGroup group(meeting, rank);
        try {
          body(group);
        } catch (...) {
          thrown[rank] = std::current_exception();
        }
      });
    }
  }
  for (const std::exception_ptr& exception : thrown) {
    if (exception) std::rethrow_exception(exception);
  }
}

}  // namespace bertprep::test
