#include "bertprep/trainer/allreduce_bench.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <span>
#include <vector>

#include "bertprep/base/fields.h"

namespace bertprep {
namespace {

// Small whole numbers, whose sums have no rounding: rank + 1 + (index mod 8).
float own_value(std::size_t rank, std::size_t index) {
  return static_cast<float>(rank + 1 + index % 8);
}

float expected_value(std::size_t processes, std::size_t index) {
  return static_cast<float>(processes * (processes + 1) / 2 + processes * (index % 8));
}

class Measurement {
 public:
  Measurement(ProcessGroup& processes, const AllreduceBenchOptions& options, std::size_t values)
      : processes_(processes), options_(options), input_(values), output_(values) {
    for (std::size_t i = 0; i < values; ++i) input_[i] = own_value(processes.rank(), i);
  }

  // The first call is looked at, the others are timed: in place they go on with their own sums.
  AllreduceTime take(bool in_place) {
    AllreduceTime time;
    call(false);
    time.wrong = count_wrong();
    for (std::int64_t i = 0; i < options_.warmups; ++i) call(in_place);
    std::fill(output_.begin(), output_.end(), 0.0F);
    processes_.barrier();
    const auto start = std::chrono::steady_clock::now();
    for (std::int64_t i = 0; i < options_.repetitions; ++i) call(in_place);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    time.seconds = mean(passed.count()) / static_cast<double>(options_.repetitions);
    const auto n = static_cast<double>(processes_.size());
    time.algorithm_bandwidth = static_cast<double>(output_.size() * sizeof(float)) / time.seconds;
    time.bus_bandwidth = time.algorithm_bandwidth * 2 * (n - 1) / n;
    return time;
  }

 private:
  void call(bool in_place) {
    if (!in_place) std::copy(input_.begin(), input_.end(), output_.begin());
    all_reduce(processes_, output_);
  }

  std::uint64_t count_wrong() {
    double wrong = 0;
    for (std::size_t i = 0; i < output_.size(); ++i)
      wrong += output_[i] == expected_value(processes_.size(), i) ? 0 : 1;
    processes_.sum(std::span(&wrong, 1));
    return static_cast<std::uint64_t>(wrong);
  }

  double mean(double value) {
    processes_.sum(std::span(&value, 1));
    return value / static_cast<double>(processes_.size());
  }

  ProcessGroup& processes_;
  const AllreduceBenchOptions& options_;
  std::vector<float> input_, output_;
};

}  // namespace

std::uint64_t parse_bytes(const std::string& text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  int shift = rest == end ? 0 : -1;
  if (rest + 1 == end) {
    if (*rest == 'K' || *rest == 'k') shift = 10;
    if (*rest == 'M' || *rest == 'm') shift = 20;
    if (*rest == 'G' || *rest == 'g') shift = 30;
  }
  if (error != std::errc{} || shift < 0 || number > (std::uint64_t{1} << 50 >> shift)) {
    throw ConfigError("'" + text + "' is no number of bytes", {}, "examples: 8, 512K, 64M, 1G");
  }
  return number << shift;
}

void allreduce_bench(ProcessGroup& processes, const AllreduceBenchOptions& options,
                     const std::function<void(const AllreduceRow&)>& row) {
  check_range("stepfactor", static_cast<double>(options.step_factor), 2, 1e9);
  check_range("iters", static_cast<double>(options.repetitions), 1, 1e9);
  check_range("warmup-iters", static_cast<double>(options.warmups), 0, 1e9);
  const std::uint64_t last = parse_bytes(options.last_bytes);
  const std::uint64_t first = parse_bytes(options.first_bytes);
  if (first < sizeof(float) || first > last) {
    throw ConfigError("sizes from " + options.first_bytes + " to " + options.last_bytes + " are none", {},
                      "the smallest is 4, a single value");
  }
  for (std::uint64_t bytes = first; bytes <= last; bytes *= static_cast<std::uint64_t>(options.step_factor)) {
    AllreduceRow result;
    result.values = bytes / sizeof(float);
    result.bytes = result.values * sizeof(float);
    Measurement measurement(processes, options, result.values);
    result.out_of_place = measurement.take(false);
    result.in_place = measurement.take(true);
    row(result);
  }
}

}  // namespace bertprep
