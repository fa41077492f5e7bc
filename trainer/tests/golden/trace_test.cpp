// The model and the optimizers, 20 steps long, against PyTorch from the same first weights on the same rows.
// make_numbers.py made the numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "bertprep/shard/shard_reader.h"
#include "support/golden_data.h"
#include "trainer/schedule.h"
#include "trainer/tests/golden/drawn_rows.h"
#include "trainer/tests/golden/test_device.h"
#include "trainer/torch/models.h"
#include "trainer/torch/optimizer.h"

namespace bertprep::test {
namespace {

constexpr int kSteps = 20;

struct TraceStep {
  double mlm, nsp, gradient_norm;
};

struct TraceSetup {
  ModelConfig config;
  OptimizerOptions optimizer;
  double rate = 0;
  std::size_t batch_rows = 0;
  ModelMode mode{};
};

std::vector<TraceStep> run_trace(const TraceSetup& setup, const Batch& rows) {
  Bert model(setup.config, setup.mode, 1, test_device());
  Optimizer optimizer(setup.optimizer, model.parameters());
  const ScheduleOptions schedule{.learning_rate = setup.rate, .schedule = ScheduleKind::kPoly, .warmup = 0.1};
  std::vector<TraceStep> trace;
  for (int step = 1; step <= kSteps; ++step) {
    const auto first = static_cast<std::size_t>(step - 1) * setup.batch_rows;
    model.clear_gradients();
    const ModelLoss loss = model.loss(model.batch_of(rows, first, setup.batch_rows), {.dropout = false});
    loss.total.backward();
    trace.push_back({loss.mlm_sum / static_cast<double>(loss.predictions),
                     loss.nsp_sum / static_cast<double>(loss.rows), optimizer.gradient_norm()});
    optimizer.step(learning_rate(schedule, step, kSteps));
  }
  return trace;
}

void expect_trace(const std::vector<TraceStep>& trace, const std::vector<std::string>& lines, double tolerance) {
  ASSERT_EQ(lines.size(), trace.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto cells = split_tabs(lines[i]);
    ASSERT_EQ(std::stoul(cells.at(0)), i + 1);
    EXPECT_NEAR(trace[i].mlm, std::stod(cells.at(1)), tolerance) << "step " << i + 1;
    EXPECT_NEAR(trace[i].nsp, std::stod(cells.at(2)), tolerance) << "step " << i + 1;
    EXPECT_NEAR(trace[i].gradient_norm, std::stod(cells.at(3)), 10 * tolerance) << "step " << i + 1;
  }
}

std::filesystem::path data() {
  return source_folder() / "trainer" / "tests" / "golden" / "data";
}

TraceSetup small_setup(const std::string& name) {
  TraceSetup setup;
  setup.config = {.vocab_size = 96, .hidden_size = 32, .layers = 2, .attention_heads = 4, .intermediate_size = 64};
  setup.config.max_positions = 32;
  setup.config.tanh_gelu = name.find("tanh") != std::string::npos;
  setup.config.pre_norm = name.starts_with("pre");
  for (const auto optimizer : {OptimizerKind::kNvlamb, OptimizerKind::kLans, OptimizerKind::kAdamw}) {
    if (name.find(name_of(optimizer)) != std::string::npos) setup.optimizer.optimizer = optimizer;
  }
  if (name.ends_with("partition")) setup.optimizer.norms = NormScope::kPartition;
  if (name == "post_tanh_lans") setup.optimizer.max_grad_norm = 0;
  setup.rate = setup.optimizer.optimizer == OptimizerKind::kAdamw ? 0.002 : 0.02;
  setup.batch_rows = 8;
  return setup;
}

// name -> its lines without the name
std::map<std::string, std::vector<std::string>> expected_traces() {
  std::map<std::string, std::vector<std::string>> traces;
  for (const std::string& line : read_lines(data() / "traces.tsv")) {
    const std::size_t tab = line.find('\t');
    traces[line.substr(0, tab)].push_back(line.substr(tab + 1));
  }
  return traces;
}

TEST(Trace, EqualsPyTorchOnDrawnRows) {
  const Batch rows = drawn_rows(kSteps * 8, 32, 5, 96);
  const auto traces = expected_traces();
  ASSERT_EQ(traces.size(), 6U);
  for (const auto& [name, lines] : traces) {
    SCOPED_TRACE(name);
    expect_trace(run_trace(small_setup(name), rows), lines, on_test_device(1e-5));
  }
}

TEST(Trace, RecomputedActivationsChangeNothing) {
  const Batch rows = drawn_rows(kSteps * 8, 32, 5, 96);
  for (const std::string name : {"post_erf_nvlamb", "pre_erf_lans"}) {
    TraceSetup setup = small_setup(name);
    const auto plain = run_trace(setup, rows);
    for (const std::int64_t every : {1, 2, 3}) {
      setup.mode.recompute_every = every;
      const auto recomputed = run_trace(setup, rows);
      for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_EQ(recomputed[i].gradient_norm, plain[i].gradient_norm);
    }
  }
}

TEST(Trace, Bfloat16StaysClose) {
  const Batch rows = drawn_rows(kSteps * 8, 32, 5, 96);
  TraceSetup setup = small_setup("post_erf_nvlamb");
  const auto exact = run_trace(setup, rows);
  setup.mode.bf16 = true;
  for (const bool as_f32 : {false, true}) {
    setup.mode.bf16_as_f32 = as_f32;
    const auto rounded = run_trace(setup, rows);
    for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(rounded[i].mlm, exact[i].mlm, 0.02);
    EXPECT_NE(rounded.back().mlm, exact.back().mlm);
  }
}

TEST(Trace, ATenGivesTheSame) {
  const Batch rows = drawn_rows(kSteps * 8, 32, 5, 96);
  for (const std::string name : {"post_erf_nvlamb", "pre_erf_lans"}) {
    TraceSetup setup = small_setup(name);
    const auto own = run_trace(setup, rows);
    setup.mode.by_aten = true;
    const auto plain = run_trace(setup, rows);
    for (std::size_t i = 0; i < own.size(); ++i) {
      EXPECT_NEAR(own[i].mlm, plain[i].mlm, 1e-5);
      EXPECT_NEAR(own[i].gradient_norm, plain[i].gradient_norm, 1e-4);
    }
  }
}

class ShardTrace : public GoldenTest {};

TEST_F(ShardTrace, TinyEqualsPyTorchOnAShardOfTheReference) {
  const auto folder = goldens() / "A_wikitext2" / "hdf5_samples" /
                      "hdf5_lower_case_1_seq_len_128_max_pred_20_masked_lm_prob_0.15_random_seed_12345_dupe_factor_5";
  ShardReader reader(folder / "wikitext-2" / "wikitext-2_training_0.hdf5");
  Batch rows;
  reader.read(0, kSteps * 16, rows);
  TraceSetup setup;
  setup.config = resolve_model("tiny");
  setup.rate = 0.005;
  setup.batch_rows = 16;
  const auto trace = run_trace(setup, rows);
  expect_trace(trace, read_lines(data() / "wikitext2_tiny.tsv"), 1e-4);
  EXPECT_GE(trace[0].mlm + trace[0].nsp, 11.0);
  EXPECT_LE(trace[0].mlm + trace[0].nsp, 11.3);
}

}  // namespace
}  // namespace bertprep::test
