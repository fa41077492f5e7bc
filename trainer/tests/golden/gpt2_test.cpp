// GPT-2: 20 steps against PyTorch, and whole runs on blocks of tokens. make_numbers.py made the numbers.
#include "trainer/torch/models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bertprep/base/error.h"
#include "bertprep/trainer/train.h"
#include "shard/hdf5/token_file.h"
#include "support/file_tree.h"
#include "support/golden_data.h"
#include "support/run_program.h"
#include "support/temp_folder.h"
#include "support/thrown.h"
#include "trainer/schedule.h"
#include "trainer/tests/golden/drawn_rows.h"
#include "trainer/tests/golden/test_device.h"
#include "trainer/tests/golden/train_run.h"
#include "trainer/torch/checkpoint.h"
#include "trainer/torch/optimizer.h"
#include "unit/shard/shard_rows.h"

namespace bertprep::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr int kGpt2Steps = 20;
constexpr std::int64_t kGpt2Vocab = 96;

ModelConfig small_gpt2() {
  ModelConfig config = resolve_model("gpt2-small");
  config.vocab_size = config.pieces = kGpt2Vocab;
  config.hidden_size = 32;
  config.layers = 2;
  config.attention_heads = 4;
  config.intermediate_size = 128;
  config.max_positions = 32;
  return config;
}

struct Gpt2Setup {
  ModelConfig config = small_gpt2();
  OptimizerOptions optimizer{.optimizer = OptimizerKind::kAdamw};
  double rate = 0.002;
  ModelMode mode{};
};

Gpt2Setup setup_of(const std::string& name) {
  Gpt2Setup setup;
  if (name == "gpt2_adamw") return setup;
  setup.rate = 0.02;
  if (name == "gpt2_erf_nvlamb") {
    setup.config.tanh_gelu = false;
    setup.optimizer.optimizer = OptimizerKind::kNvlamb;
  } else {
    setup.config.scale_by_layer = true;
    setup.config.layers = 3;
    setup.optimizer.optimizer = OptimizerKind::kLans;
    setup.optimizer.norms = NormScope::kPartition;
  }
  return setup;
}

struct Gpt2Step {
  double loss, gradient_norm;
};

std::vector<Gpt2Step> run_gpt2_trace(const Gpt2Setup& setup) {
  const Batch rows = drawn_rows(kGpt2Steps * 8, 32, 5, kGpt2Vocab);
  Gpt2 model(setup.config, setup.mode, 1, test_device());
  Optimizer optimizer(setup.optimizer, model.parameters());
  const ScheduleOptions schedule{.learning_rate = setup.rate, .schedule = ScheduleKind::kPoly, .warmup = 0.1};
  std::vector<Gpt2Step> trace;
  for (int step = 1; step <= kGpt2Steps; ++step) {
    model.clear_gradients();
    const ModelLoss loss = model.loss(model.batch_of(rows, (step - 1) * 8, 8), {.dropout = false});
    loss.total.backward();
    trace.push_back({loss.mlm_sum / static_cast<double>(loss.predictions), optimizer.gradient_norm()});
    optimizer.step(learning_rate(schedule, step, kGpt2Steps));
  }
  return trace;
}

std::map<std::string, std::vector<std::vector<std::string>>> expected_gpt2_traces() {
  std::map<std::string, std::vector<std::vector<std::string>>> traces;
  for (const auto& line : read_lines(source_folder() / "trainer/tests/golden/data/gpt2_traces.tsv")) {
    const auto cells = split_tabs(line);
    traces[cells.front()].push_back(cells);
  }
  return traces;
}

TEST(Gpt2Trace, EqualsPyTorch) {
  const auto traces = expected_gpt2_traces();
  ASSERT_EQ(traces.size(), 3U);
  for (const auto& [name, lines] : traces) {
    for (const bool by_aten : {false, true}) {
      SCOPED_TRACE(name + (by_aten ? " by ATen" : ""));
      Gpt2Setup setup = setup_of(name);
      setup.mode.by_aten = by_aten;
      const auto trace = run_gpt2_trace(setup);
      ASSERT_EQ(lines.size(), trace.size());
      for (std::size_t i = 0; i < trace.size(); ++i) {
        EXPECT_NEAR(trace[i].loss, std::stod(lines[i].at(2)), on_test_device(1e-5)) << "step " << i + 1;
        EXPECT_NEAR(trace[i].gradient_norm, std::stod(lines[i].at(3)), on_test_device(1e-4)) << "step " << i + 1;
      }
    }
  }
}

TEST(Gpt2Trace, RecomputedActivationsChangeNothing) {
  Gpt2Setup setup = setup_of("gpt2_scaled_lans");
  const auto plain = run_gpt2_trace(setup);
  for (const std::int64_t every : {1, 2, 4}) {
    setup.mode.recompute_every = every;
    const auto recomputed = run_gpt2_trace(setup);
    for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_EQ(recomputed[i].gradient_norm, plain[i].gradient_norm);
  }
}

TEST(Gpt2Trace, Bfloat16StaysClose) {
  Gpt2Setup setup;
  const auto exact = run_gpt2_trace(setup);
  setup.mode.bf16 = true;
  for (const bool as_f32 : {false, true}) {
    setup.mode.bf16_as_f32 = as_f32;
    const auto rounded = run_gpt2_trace(setup);
    for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(rounded[i].loss, exact[i].loss, 0.02);
    EXPECT_NE(rounded.back().loss, exact.back().loss);
  }
}

class Gpt2Train : public TrainRunTest {
 protected:
  void SetUp() override {
    add_blocks("x_training_0.hdf5", 23);
    add_blocks("x_training_1.hdf5", 9);
    add_blocks("x_test_0.hdf5", 7);
    folder_.write("config.json", R"({"model_type": "gpt2", "vocab_size": 96, "n_embd": 32, "n_layer": 2, "n_head": 4,
        "n_positions": 32})");
  }
  void add_blocks(const std::string& name, std::size_t rows) {
    write_blocks(folder_ / name, drawn_rows(rows, 32, 5, kGpt2Vocab));
  }
  static void write_blocks(const std::filesystem::path& file, const Batch& batch) {
    TokenFileWriter writer({.column = "input_ids", .length = 32});
    for (std::size_t i = 0; i < batch.input_ids.size(); i += 32) writer.add(std::span(batch.input_ids).subspan(i, 32));
    writer.write(file);
  }
  static void write_padded(const std::filesystem::path& file, const Batch& batch, std::int32_t pad) {
    TokenFileWriter writer({.column = "input_ids", .length = 32, .pad = pad, .has_mask = true});
    for (std::size_t first = 0; first < batch.input_ids.size(); first += 32) {
      std::vector<std::int32_t> row;
      for (std::size_t i = first; i < first + 32; ++i) {
        if (batch.input_mask[i] != 0) row.push_back(batch.input_ids[i]);
      }
      writer.add(row);
    }
    writer.write(file);
  }
  TrainOptions options(const std::string& output, std::int64_t steps = 8) const {
    TrainOptions options = options_of_run(output, steps);
    options.optimizer.optimizer = OptimizerKind::kAdamw;
    return options;
  }
};

TEST_F(Gpt2Train, ResumedRunEqualsAnUnbrokenOneToTheLastBit) {
  Watcher straight;
  train(options("whole"), straight);
  for (const std::int64_t stop : {3, 6, 0}) {
    Watcher part(stop);
    EXPECT_EQ(stop == 0 ? "nothing thrown" : Cancelled().what(), thrown_by([&] { train(options("parts"), part); }));
  }
  const std::string last = "checkpoint_8.safetensors";
  EXPECT_EQ(read_bytes(folder_ / "parts" / last), read_bytes(folder_ / "whole" / last));
  // 31 next tokens per block, all equally likely.
  EXPECT_NEAR(straight.steps.front().loss, std::log(96.0), 0.2);
  EXPECT_EQ(straight.steps.front().nsp_loss, 0);
}

TEST_F(Gpt2Train, LearnsWhatCanBeLearned) {
  Batch rows = drawn_rows(16, 32, 5, kGpt2Vocab);
  for (std::size_t i = 0; i < rows.input_ids.size(); ++i) rows.input_ids[i] = static_cast<std::int32_t>(i % 32 % 5);
  std::filesystem::create_directory(folder_ / "easy");
  write_blocks(folder_ / "easy/x_training_0.hdf5", rows);
  TrainOptions easy = options("", 60);
  easy.data.data = (folder_ / "easy").string();
  easy.schedule.learning_rate = 0.005;
  Watcher watcher;
  train(easy, watcher);
  // With dropout.
  EXPECT_LT(watcher.steps.back().loss, 0.5);
  EXPECT_GT(watcher.steps.back().mlm_accuracy, 0.95);
}

TEST_F(Gpt2Train, PaddingIsNotLearned) {
  // Values after the tokens have no effect.
  const Batch rows = drawn_rows(12, 32, 5, kGpt2Vocab);
  std::vector<double> losses;
  for (const std::int32_t padding : {0, 7}) {
    const std::string name = "padded" + std::to_string(padding);
    std::filesystem::create_directory(folder_ / name);
    write_padded(folder_ / name / "x_training_0.hdf5", rows, padding);
    TrainOptions padded = options("", 4);
    padded.data.data = (folder_ / name).string();
    Watcher watcher;
    train(padded, watcher);
    losses.push_back(watcher.steps.back().loss);
  }
  EXPECT_NEAR(losses[0], losses[1], 1e-6);
}

TEST_F(Gpt2Train, RefusesRowsOfTheOtherModel) {
  Watcher watcher;
  TrainOptions bert = options("");
  bert.model.model = "tiny";
  EXPECT_THAT(thrown_by([&] { train(bert, watcher); }),
              AllOf(HasSubstr("x_training_0.hdf5"), HasSubstr("token sequences"), HasSubstr("`model` gpt2-small")));
  std::filesystem::create_directory(folder_ / "bert");
  write_shard(folder_ / "bert/x_training_0.hdf5", {8, 32, 5}, drawn_rows(8, 32, 5, kGpt2Vocab));
  TrainOptions gpt2 = options("");
  gpt2.data.data = (folder_ / "bert").string();
  EXPECT_THAT(thrown_by([&] { train(gpt2, watcher); }), AllOf(HasSubstr("rows for BERT"), HasSubstr("--for gpt2")));
}

TEST_F(Gpt2Train, RefusesWhatDoesNotFit) {
  Watcher watcher;
  TrainOptions nvidia = options("");
  nvidia.model.init = InitialWeights::kNvidia;
  EXPECT_THAT(thrown_by([&] { train(nvidia, watcher); }), HasSubstr("`init` nvidia is for BERT"));
  folder_.write("config.json", R"({"model_type": "gpt2", "vocab_size": 96, "n_embd": 32, "n_layer": 1, "n_head": 4,
      "n_positions": 16})");
  EXPECT_THAT(thrown_by([&] { train(options(""), watcher); }), HasSubstr("larger n_positions"));
  folder_.write("config.json", R"({"model_type": "gpt2", "vocab_size": 40, "n_embd": 32, "n_layer": 1, "n_head": 4,
      "n_positions": 32})");
  EXPECT_THAT(thrown_by([&] { train(options(""), watcher); }), HasSubstr("vocabulary of 40"));
}

TEST_F(Gpt2Train, StartsFromWhatItExported) {
  TrainOptions first = options("", 3);
  first.run.export_folder = (folder_ / "hf").string();
  first.run.eval_every = 3;
  Watcher watcher;
  train(first, watcher);
  TrainOptions second = options("", 0);
  second.model.model = (folder_ / "hf").string();
  second.run.init_from = (folder_ / "hf").string();
  second.run.eval_every = 1;
  Watcher again;
  train(second, again);
  ASSERT_EQ(again.evaluations.size(), 0U);
  Gpt2 model(resolve_model((folder_ / "hf").string()), {}, 99, at::kCPU);
  load_weights(folder_ / "hf", model);
  const Batch rows = drawn_rows(7, 32, 5, kGpt2Vocab);
  Batch whole = rows;
  std::fill(whole.input_mask.begin(), whole.input_mask.end(), std::int8_t{1});
  const ModelLoss loss = model.loss(model.batch_of(whole, 0, 7), {.dropout = false});
  EXPECT_NEAR(loss.mlm_sum / static_cast<double>(loss.predictions), watcher.evaluations.back().loss, 1e-6);
  // A BERT can't start from it.
  TrainOptions bert = options("");
  std::filesystem::create_directory(folder_ / "bert");
  write_shard(folder_ / "bert/x_training_0.hdf5", {8, 32, 5}, drawn_rows(8, 32, 5, kGpt2Vocab));
  bert.data.data = (folder_ / "bert").string();
  bert.model.model = "tiny";
  bert.run.init_from = (folder_ / "hf").string();
  EXPECT_THAT(thrown_by([&] { train(bert, again); }), HasSubstr("does not contain a BertForPreTraining"));
}

// plain_gpt2.py loads the export strictly and computes the same losses and logits.
TEST_F(Gpt2Train, ExportLoadsInPyTorch) {
  const auto script = source_folder() / "trainer" / "tests" / "golden" / "check_gpt2.py";
  const std::string python = std::filesystem::exists("/usr/bin/python3") ? "/usr/bin/python3" : "python3";
  if (run_program({python, "-c", "import torch, h5py"}).exit_status != 0) {
    GTEST_SKIP() << "skipped: no PyTorch for Python";
  }
  TrainOptions exporting = options("", 3);
  exporting.run.export_folder = (folder_ / "hf").string();
  exporting.run.eval_every = 3;
  Watcher watcher;
  train(exporting, watcher);
  Gpt2 model(resolve_model((folder_ / "hf").string()), {}, 99, at::kCPU);
  load_weights(folder_ / "hf", model);
  Batch rows = drawn_rows(7, 32, 5, kGpt2Vocab);
  std::fill(rows.input_mask.begin(), rows.input_mask.end(), std::int8_t{1});
  at::Tensor logits;
  model.loss(model.batch_of(rows, 0, 7), {.dropout = false}, [&](const std::string& name, const at::Tensor& values) {
    if (name == "lm_head") logits = values.detach().clone();
  });
  ASSERT_TRUE(logits.defined());
  const auto* bytes = static_cast<const char*>(logits.data_ptr());
  folder_.write("logits.f32", std::string(bytes, logits.nbytes()));
  const Finished finished = run_program({python, "-B", script.string(), (folder_ / "hf").string(),
                                         (folder_ / "x_test_0.hdf5").string(), (folder_ / "logits.f32").string()});
  ASSERT_EQ(finished.exit_status, 0) << finished.err;
  EXPECT_NEAR(std::stod(finished.out), watcher.evaluations.back().loss, 2e-5);
}

}  // namespace
}  // namespace bertprep::test
