// Optimizers on single tensors, and schedules, step by step against plain_steps.py.
#include <gtest/gtest.h>

#include <cmath>

#include "support/golden_data.h"
#include "trainer/parameters.h"
#include "trainer/schedule.h"
#include "trainer/torch/optimizer.h"

namespace bertprep::test {
namespace {

constexpr std::array<std::int64_t, 4> kSizes{7, 40, 3, 65};

at::Tensor drawn(std::int64_t size, double deviation, std::uint64_t seed, std::uint64_t stream) {
  at::Tensor values = at::empty({size}, at::kFloat);
  fill_normal(values.data_ptr<float>(), size, deviation, seed, stream);
  return values;
}

std::vector<Parameter> first_parameters() {
  std::vector<Parameter> parameters;
  for (std::size_t i = 0; i < kSizes.size(); ++i) {
    at::Tensor value = drawn(kSizes[i], 0.5, 2, i);
    value.set_requires_grad(true);
    parameters.push_back({"p" + std::to_string(i), value, i < 2});
  }
  return parameters;
}

std::vector<std::vector<std::string>> expected(const std::string& name) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& line : read_lines(source_folder() / "trainer" / "tests" / "golden" / "data" / "steps.tsv")) {
    auto cells = split_tabs(line);
    if (cells.front() != name) continue;
    cells.erase(cells.begin(), cells.begin() + 2);
    rows.push_back(cells);
  }
  return rows;
}

void expect_values(const std::vector<Parameter>& parameters, const std::vector<std::string>& values) {
  std::size_t next = 0;
  for (const Parameter& parameter : parameters) {
    for (std::int64_t i = 0; i < parameter.value.numel(); ++i) {
      EXPECT_NEAR(parameter.value.data_ptr<float>()[i], std::stod(values.at(next++)), 5e-7);
    }
  }
  EXPECT_EQ(next, values.size());
}

void expect_steps_of(bool as_on_devices, const std::string& name, const OptimizerOptions& options,
                     std::size_t processes) {
  SCOPED_TRACE(name + (as_on_devices ? " as on devices" : ""));
  auto parameters = first_parameters();
  UpdatePlan plan{.runs = update_runs(options, parameters, processes),
                  .places = flat_places(sizes_of(parameters), {0, 1, 2, 3}),
                  .as_on_devices = as_on_devices};
  Optimizer optimizer(options, parameters, plan);
  const auto rows = expected(name);
  ASSERT_EQ(rows.size(), 6U);
  for (std::size_t step = 1; step <= rows.size(); ++step) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const double deviation = step % 2 == 1 ? 0.01 : 3.0;
      parameters[i].value.mutable_grad() = drawn(kSizes[i], deviation, 3, step * 10 + i);
    }
    optimizer.gradient_norm();
    optimizer.step(0.1);
    expect_values(parameters, rows[step - 1]);
  }
}

void expect_steps(const std::string& name, const OptimizerOptions& options, std::size_t processes = 1) {
  for (const bool as_on_devices : {false, true}) expect_steps_of(as_on_devices, name, options, processes);
}

TEST(OptimizerSteps, EqualTheRestatedOnes) {
  expect_steps("post_erf_nvlamb", {.optimizer = OptimizerKind::kNvlamb});
  expect_steps("post_tanh_lans", {.optimizer = OptimizerKind::kLans, .max_grad_norm = 0});
  expect_steps("pre_erf_lans", {.optimizer = OptimizerKind::kLans});
  expect_steps("post_erf_adamw", {.optimizer = OptimizerKind::kAdamw});
  expect_steps("post_erf_nvlamb_partition", {.optimizer = OptimizerKind::kNvlamb, .norms = NormScope::kPartition});
  expect_steps("pre_tanh_lans_partition", {.optimizer = OptimizerKind::kLans, .norms = NormScope::kPartition});
  expect_steps("nvlamb_partition_of_2", {.optimizer = OptimizerKind::kNvlamb, .norms = NormScope::kPartition}, 2);
  expect_steps("nvlamb_partition_of_3", {.optimizer = OptimizerKind::kNvlamb, .norms = NormScope::kPartition}, 3);
  expect_steps("lans_partition_of_3", {.optimizer = OptimizerKind::kLans, .norms = NormScope::kPartition}, 3);
}

TEST(OptimizerSteps, AMissingGradientIsOneOfZeros) {
  auto parameters = first_parameters();
  const at::Tensor before = parameters[2].value.detach().clone();  // no decay
  for (const std::size_t i : {0, 1, 3}) parameters[i].value.mutable_grad() = at::ones({kSizes[i]});
  Optimizer optimizer({.optimizer = OptimizerKind::kNvlamb}, parameters);
  EXPECT_NEAR(optimizer.gradient_norm(), std::sqrt(112.0), 1e-6);
  optimizer.step(0.1);
  EXPECT_TRUE(parameters[2].value.equal(before));
  EXPECT_FALSE(parameters[0].value.equal(first_parameters()[0].value));
}

TEST(Schedules, EqualTheRestatedOnes) {
  const auto rows = expected("rates");
  ASSERT_EQ(rows.size(), 40U);
  const std::array<ScheduleOptions, 4> schedules{{
      {.learning_rate = 0.0015, .schedule = ScheduleKind::kPoly, .warmup = 0.05, .constant = 0.25, .degree = 1.0},
      {.learning_rate = 0.006, .schedule = ScheduleKind::kPoly, .warmup = 0.2843, .degree = 1.0},
      {.learning_rate = 0.006, .schedule = ScheduleKind::kNvidiaPoly, .warmup = 0.2843, .degree = 0.5},
      {.learning_rate = 0.0001, .schedule = ScheduleKind::kLinear, .warmup = 0.1},
  }};
  for (std::size_t step = 1; step <= rows.size(); ++step) {
    for (std::size_t i = 0; i < schedules.size(); ++i) {
      const double rate = std::stod(rows[step - 1].at(i));
      EXPECT_NEAR(learning_rate(schedules[i], static_cast<std::int64_t>(step), 40), rate, 1e-12 + 1e-9 * rate);
    }
  }
}

}  // namespace
}  // namespace bertprep::test
