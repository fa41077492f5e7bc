#include "trainer/distributed/allreduce_bench.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <span>
#include <vector>

#include "base/fields.h"
#include "base/number_text.h"
#include "trainer/distributed/device_group.h"

namespace bertprep {
namespace {

// Small integers, whose sums are exact: rank + 1 + (index mod 8).
float own_value(std::size_t rank, std::size_t index) {
  return static_cast<float>(rank + 1 + index % 8);
}

float expected_value(std::size_t processes, std::size_t index) {
  return static_cast<float>(processes * (processes + 1) / 2 + processes * (index % 8));
}

// An array of each process, and the array for the sum.
class Arrays {
 public:
  virtual ~Arrays() = default;
  virtual void add_up(bool in_place) = 0;
  // Waits until all work begun is done.
  virtual void wait() = 0;
  // In-place exchanges continue with the sums.
  virtual void set_sums(const std::vector<float>& values) = 0;
  virtual std::vector<float> sums() const = 0;
};

class HostArrays final : public Arrays {
 public:
  HostArrays(ProcessGroup& processes, std::vector<float> values)
      : processes_(processes), values_(std::move(values)), sums_(values_.size()) {}
  void add_up(bool in_place) override {
    if (!in_place) std::copy(values_.begin(), values_.end(), sums_.begin());
    all_reduce(processes_, sums_);
  }
  void wait() override {}
  void set_sums(const std::vector<float>& values) override { sums_ = values; }
  std::vector<float> sums() const override { return sums_; }

 private:
  ProcessGroup& processes_;
  std::vector<float> values_, sums_;
};

class DeviceArrays final : public Arrays {
 public:
  DeviceArrays(DeviceGroup& devices, int device, const std::vector<float>& values)
      : devices_(devices),
        count_(values.size()),
        values_(make_device_values(device, count_)),
        sums_(make_device_values(device, count_)) {
    values_->set(values);
  }
  void add_up(bool in_place) override {
    devices_.all_reduce(in_place ? sums_->data() : values_->data(), sums_->data(), count_);
  }
  void wait() override {
    devices_.join();
    devices_.wait();
  }
  void set_sums(const std::vector<float>& values) override { sums_->set(values); }
  std::vector<float> sums() const override {
    std::vector<float> result(count_);
    sums_->get(result);
    return result;
  }

 private:
  DeviceGroup& devices_;
  std::size_t count_;
  std::unique_ptr<DeviceValues> values_, sums_;
};

class Measurement {
 public:
  Measurement(ProcessGroup& processes, const AllreduceBenchOptions& options, Arrays& arrays)
      : processes_(processes), options_(options), arrays_(arrays) {}

  // The first call is checked, the others are timed: in place, they continue with their own sums.
  AllreduceTime take(bool in_place, const std::vector<float>& own) {
    AllreduceTime time;
    if (in_place) arrays_.set_sums(own);
    call(in_place, 1);
    time.wrong = count_wrong();
    call(in_place, options_.warmups);
    arrays_.set_sums(std::vector<float>(own.size()));
    processes_.barrier();
    const auto start = std::chrono::steady_clock::now();
    call(in_place, options_.repetitions);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    time.seconds = mean(passed.count()) / static_cast<double>(options_.repetitions);
    const auto n = static_cast<double>(processes_.size());
    time.algorithm_bandwidth = static_cast<double>(own.size() * sizeof(float)) / time.seconds;
    time.bus_bandwidth = time.algorithm_bandwidth * 2 * (n - 1) / n;
    return time;
  }

 private:
  void call(bool in_place, std::int64_t times) {
    for (std::int64_t i = 0; i < times; ++i) arrays_.add_up(in_place);
    arrays_.wait();
  }

  std::uint64_t count_wrong() {
    const std::vector<float> sums = arrays_.sums();
    double wrong = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) wrong += sums[i] == expected_value(processes_.size(), i) ? 0 : 1;
    processes_.sum(std::span(&wrong, 1));
    return static_cast<std::uint64_t>(wrong);
  }

  double mean(double value) {
    processes_.sum(std::span(&value, 1));
    return value / static_cast<double>(processes_.size());
  }

  ProcessGroup& processes_;
  const AllreduceBenchOptions& options_;
  Arrays& arrays_;
};

bool is_on_gpus(const AllreduceBenchOptions& options) {
  if (options.device == "cpu" || options.device == "cuda") return options.device == "cuda";
  throw ConfigError("there is no `device` '" + options.device + "'", {}, "cpu or cuda");
}

int own_device(const ProcessGroup& processes) {
  const int devices = count_devices();
  if (processes.size_here() > static_cast<std::size_t>(devices)) {
    throw ConfigError(std::to_string(processes.size_here()) + " processes were started on a machine with " +
                          std::to_string(devices) + " GPUs",
                      "`device` cuda", "start as many as there are GPUs");
  }
  return static_cast<int>(processes.rank_here());
}

}  // namespace

std::string measured_device(const ProcessGroup& processes, const AllreduceBenchOptions& options) {
  return is_on_gpus(options) ? device_address(own_device(processes)) : "";
}

void allreduce_bench(ProcessGroup& processes, const AllreduceBenchOptions& options,
                     const std::function<void(const AllreduceRow&)>& row) {
  check_range("stepfactor", static_cast<double>(options.step_factor), 2, 1e9);
  check_range("iters", static_cast<double>(options.repetitions), 1, 1e9);
  check_range("warmup-iters", static_cast<double>(options.warmups), 0, 1e9);
  const std::uint64_t last = size_in_bytes(options.last_bytes, "maxbytes");
  const std::uint64_t first = size_in_bytes(options.first_bytes, "minbytes");
  if (first < sizeof(float) || first > last) {
    throw ConfigError("there are no sizes from " + options.first_bytes + " to " + options.last_bytes + "", {},
                      "the smallest is 4, a single value");
  }
  const bool on_gpus = is_on_gpus(options);
  const int device = on_gpus ? own_device(processes) : 0;
  const std::unique_ptr<DeviceGroup> devices = on_gpus ? join_device_group(processes, device) : nullptr;
  for (std::uint64_t bytes = first; bytes <= last; bytes *= static_cast<std::uint64_t>(options.step_factor)) {
    AllreduceRow result;
    result.values = bytes / sizeof(float);
    result.bytes = result.values * sizeof(float);
    std::vector<float> own(result.values);
    for (std::size_t i = 0; i < own.size(); ++i) own[i] = own_value(processes.rank(), i);
    std::unique_ptr<Arrays> arrays;
    if (on_gpus) {
      arrays = std::make_unique<DeviceArrays>(*devices, device, own);
    } else {
      arrays = std::make_unique<HostArrays>(processes, own);
    }
    Measurement measurement(processes, options, *arrays);
    result.out_of_place = measurement.take(false, own);
    result.in_place = measurement.take(true, own);
    row(result);
  }
}

}  // namespace bertprep
