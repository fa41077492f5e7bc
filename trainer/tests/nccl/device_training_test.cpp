// Steps of processes that exchange their gradients, and with ZeRO their parameters, by trainer/distributed/nccl.cpp
// over the stand-in for NCCL, and update them as on GPUs: compared with a single process, as on CPUs.
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>

#include "thread_group.h"
#include "trainer/tests/golden/drawn_rows.h"
#include "trainer/torch/gradient_exchange.h"
#include "trainer/torch/models.h"
#include "trainer/torch/optimizer.h"
#include "trainer/torch/tensor_math.h"

namespace bertprep::test {
namespace {

constexpr std::size_t kRows = 12;
constexpr int kSteps = 3;
constexpr std::int64_t kBucketValues = 3000;

struct Way {
  bool devices = false;
  GradientShare share = GradientShare::kAll;
  std::size_t passes = 2;  // of a step
  OptimizerOptions optimizer;
};

ModelConfig small() {
  ModelConfig config;
  config.vocab_size = 64;
  config.hidden_size = 32;
  config.layers = 2;
  config.attention_heads = 2;
  config.intermediate_size = 64;
  config.max_positions = 16;
  return config;
}

// The bias of a key does not affect the softmax: its gradient is only rounding, which LANS normalizes like any other.
at::Tensor without_noise(const at::Tensor& values, const Bert& model) {
  at::Tensor copy = values.clone();
  for (std::size_t i = 0; i < model.parameters().size(); ++i) {
    const Parameter& parameter = model.parameters()[i];
    if (parameter.name.ends_with("key.bias")) copy.narrow(0, model.places().begins[i], parameter.value.numel()).zero_();
  }
  return copy;
}

// The values of the model and its moments after some steps.
std::vector<at::Tensor> train(ProcessGroup& processes, const Way& way) {
  at::set_num_threads(1);
  const auto devices = way.devices ? join_device_group(processes, static_cast<int>(processes.rank())) : nullptr;
  const Peers peers{&processes, devices.get()};
  Bert model(small(), {}, 7 + processes.rank(), at::kCPU);
  at::Tensor values = model.values();
  broadcast_values(peers, values);
  UpdatePlan plan{.runs = update_runs(way.optimizer, model.parameters(), processes.size()), .places = model.places()};
  const BucketPlan buckets = plan_buckets(plan.runs, plan.places, processes.size(), kBucketValues);
  plan.as_on_devices = way.devices;
  if (way.share != GradientShare::kAll) {
    plan.peers = peers;
    plan.buckets = &buckets;
    plan.values = model.values();
  }
  GradientExchange exchange(model, peers, buckets.buckets, way.share);
  if (way.share == GradientShare::kParts) {
    plan.gradient = [&](std::uint32_t tensor, std::int64_t begin, std::int64_t count) {
      return exchange.part(tensor, begin, count);
    };
  }
  Optimizer optimizer(way.optimizer, model.parameters(), plan);
  const Batch rows = drawn_rows(kRows, 16, 3, 64);
  const std::size_t own = kRows / processes.size();
  for (int step = 0; step < kSteps; ++step) {
    exchange.begin();
    for (std::size_t pass = 0; pass < way.passes; ++pass) {
      const std::size_t first = processes.rank() * own + pass * own / way.passes;
      exchange.begin_pass(pass + 1 == way.passes);
      const ModelPass setup{.dropout = true,
                            .dropout_key = 5,
                            .first_row = first,
                            .mlm_divisor = static_cast<double>(count_predictions(ModelKind::kBert, rows)),
                            .nsp_divisor = kRows};
      model.loss(make_model_batch(ModelKind::kBert, rows, first, own / way.passes, at::kCPU), setup).total.backward();
      exchange.end_pass();
    }
    exchange.finish();
    EXPECT_GT(optimizer.gradient_norm(), 0);
    optimizer.step(0.01);
  }
  const Moments moments = optimizer.moments();
  return {without_noise(model.values(), model), without_noise(moments.m, model), without_noise(moments.v, model)};
}

std::vector<at::Tensor> train_alone(Way way) {
  return train(*lone_process(), way);
}

// All processes must have the same bits.
std::vector<at::Tensor> train_together(std::size_t count, const Way& way) {
  std::mutex mutex;
  std::vector<at::Tensor> result;
  run_as_processes(count, [&](ProcessGroup& processes) {
    const std::vector<at::Tensor> own = train(processes, way);
    const std::lock_guard lock(mutex);
    if (result.empty()) result = own;
    for (std::size_t i = 0; i < own.size(); ++i) EXPECT_TRUE(own[i].equal(result[i])) << processes.rank();
  });
  return result;
}

void expect_close(const std::vector<at::Tensor>& left, const std::vector<at::Tensor>& right) {
  for (std::size_t i = 0; i < left.size(); ++i) {
    EXPECT_LT((left[i] - right[i]).abs().max().item<double>(), 2e-6 * left[i].abs().max().item<double>()) << i;
  }
}

class DeviceTrainingTest : public testing::TestWithParam<OptimizerKind> {};
INSTANTIATE_TEST_SUITE_P(Optimizers, DeviceTrainingTest,
                         testing::Values(OptimizerKind::kNvlamb, OptimizerKind::kLans, OptimizerKind::kAdamw));

TEST_P(DeviceTrainingTest, EqualsTheWayOfCpus) {
  const OptimizerOptions optimizer{.optimizer = GetParam(), .weight_decay = 0.3};
  const auto alone = train_alone({.optimizer = optimizer});
  for (const std::size_t processes : {2, 3}) {
    SCOPED_TRACE(processes);
    const auto whole = train_together(processes, {.devices = true, .optimizer = optimizer});
    expect_close(alone, whole);
    const auto shared =
        train_together(processes, {.devices = true, .share = GradientShare::kSums, .optimizer = optimizer});
    // The stand-in adds in one order, whatever the call.
    for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_TRUE(whole[i].equal(shared[i])) << i;
    const auto on_cpus = train_together(processes, {.share = GradientShare::kSums, .optimizer = optimizer});
    expect_close(on_cpus, shared);
  }
}

TEST_P(DeviceTrainingTest, SharedGradientsAreTheSameOnes) {
  for (const bool devices : {false, true}) {
    for (const std::size_t processes : {2, 3}) {
      SCOPED_TRACE(std::to_string(processes) + (devices ? " devices" : " processes"));
      const auto run = [&](GradientShare share, std::size_t passes) {
        return train_together(processes, {.devices = devices,
                                          .share = share,
                                          .passes = passes,
                                          .optimizer = {.optimizer = GetParam(), .weight_decay = 0.3}});
      };
      const auto sums = run(GradientShare::kSums, 1);
      const auto parts = run(GradientShare::kParts, 1);
      for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_TRUE(sums[i].equal(parts[i])) << i;
      // Passes are added up in another order.
      expect_close(run(GradientShare::kSums, 2), run(GradientShare::kParts, 2));
    }
  }
}

TEST(DeviceTraining, PartitionsAreThoseOfCpus) {
  const OptimizerOptions optimizer{
      .optimizer = OptimizerKind::kLans, .weight_decay = 0.3, .norms = NormScope::kPartition};
  expect_close(train_together(3, {.optimizer = optimizer}),
               train_together(3, {.devices = true, .share = GradientShare::kSums, .optimizer = optimizer}));
}

// Counts its calls.
struct CountingGroup final : DeviceGroup {
  void all_reduce(const float*, float*, std::size_t) override { ++reduced; }
  void reduce_scatter(float*, std::span<const std::size_t>) override { ++reduced; }
  void all_gather(float*, std::span<const std::size_t>) override {}
  void broadcast(float*, std::size_t) override {}
  void join() override { ++joined; }
  void wait() override { ++waited; }
  double waited_seconds() const override { return 0; }
  std::size_t reduced = 0, joined = 0, waited = 0;
};

TEST(DeviceTraining, BucketsAreQueuedDuringTheLastPass) {
  const auto alone = lone_process();
  CountingGroup devices;
  Bert model(small(), {}, 7, at::kCPU);
  const auto runs = update_runs({}, model.parameters(), 1);
  const BucketPlan plan = plan_buckets(runs, model.places(), 1, kBucketValues);
  GradientExchange exchange(model, {alone.get(), &devices}, plan.buckets, GradientShare::kAll);
  exchange.begin();
  exchange.begin_pass(false);
  const ModelBatch rows = make_model_batch(ModelKind::kBert, drawn_rows(kRows, 16, 3, 64), 0, kRows, at::kCPU);
  model.loss(rows, {}).total.backward();
  exchange.end_pass();
  EXPECT_EQ(devices.reduced, 0U);
  exchange.begin_pass(true);
  model.loss(rows, {}).total.backward();
  EXPECT_GT(plan.buckets.size(), 3U);
  EXPECT_EQ(devices.reduced, plan.buckets.size());
  EXPECT_EQ(devices.joined + devices.waited, 0U);
  exchange.end_pass();
  exchange.finish();
  EXPECT_EQ(devices.reduced, plan.buckets.size());
  EXPECT_EQ(devices.joined, 1U);
  EXPECT_EQ(devices.waited, 1U);
}

// The processes' shares of the optimizer's work with ZeRO, the largest by their mean.
double largest_share(std::size_t processes) {
  const std::vector<ParameterSpec> specs = parameter_specs(resolve_model("large"));
  std::vector<TensorSize> sizes;
  for (const ParameterSpec& spec : specs) sizes.push_back({spec.size(), spec.decays});
  const FlatPlaces places = flat_places(sizes, backward_order(specs));
  const auto runs = runs_by_tensor(sizes, run_values(at::Device(at::kCUDA, 0), processes));
  std::vector<std::size_t> shares(processes);
  for (const GradientBucket& bucket : plan_buckets(runs, places, processes, 25 << 18).buckets) {
    for (std::size_t rank = 0; rank < processes; ++rank) shares[rank] += bucket.parts[rank];
  }
  const double mean = static_cast<double>(places.values) / static_cast<double>(processes);
  return static_cast<double>(*std::max_element(shares.begin(), shares.end())) / mean;
}

TEST(DeviceTraining, WorkIsSharedEvenly) {
  EXPECT_LT(largest_share(2), 1.01);
  EXPECT_LT(largest_share(8), 1.1);
  EXPECT_LT(largest_share(64), 1.3);
}

}  // namespace
}  // namespace bertprep::test
