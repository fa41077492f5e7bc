// Whole runs in this process: resumption, refusals, phases, checkpoints, export.
#include "bertprep/trainer/train.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>

#include "bertprep/base/error.h"
#include "support/file_tree.h"
#include "support/golden_data.h"
#include "support/json_lines.h"
#include "support/run_program.h"
#include "support/temp_folder.h"
#include "support/thrown.h"
#include "trainer/tests/golden/drawn_rows.h"
#include "trainer/tests/golden/train_run.h"
#include "trainer/torch/checkpoint.h"
#include "trainer/torch/models.h"
#include "trainer/torch/step.h"
#include "trainer/weights/safetensors.h"
#include "unit/shard/shard_rows.h"

namespace bertprep::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::size_t kVocab = 96;

class TrainTest : public TrainRunTest {
 protected:
  void SetUp() override {
    add_shard("x_training_0.hdf5", 23);
    add_shard("x_training_1.hdf5", 8);
    add_shard("x_training_2.hdf5", 31);
    add_shard("x_test_0.hdf5", 9);
    folder_.write("config.json", R"({"vocab_size": 96, "hidden_size": 32, "num_hidden_layers": 2,
        "num_attention_heads": 4, "intermediate_size": 64, "max_position_embeddings": 32})");
  }
  void add_shard(const std::string& name, std::size_t rows) {
    write_shard(folder_ / name, {rows, 32, 5}, drawn_rows(rows, 32, 5, kVocab));
  }
  TrainOptions options(const std::string& output, std::int64_t steps = 12) const {
    return options_of_run(output, steps);
  }
  std::string checkpoint(const std::string& output, std::int64_t step) const {
    return (folder_ / (output + "/checkpoint_" + std::to_string(step) + ".safetensors")).string();
  }
  static std::vector<double> losses(const Watcher& watcher) {
    std::vector<double> values;
    for (const StepReport& report : watcher.steps) values.push_back(report.loss);
    return values;
  }
};

TEST_F(TrainTest, ResumedRunEqualsAnUnbrokenOneToTheLastBit) {
  for (const auto optimizer : {OptimizerKind::kNvlamb, OptimizerKind::kLans, OptimizerKind::kAdamw}) {
    const std::string name(name_of(optimizer));
    SCOPED_TRACE(name);
    Watcher straight;
    TrainOptions whole = options(name + "_whole");
    whole.optimizer.optimizer = optimizer;
    train(whole, straight);
    TrainOptions parts = options(name + "_parts");
    parts.optimizer.optimizer = optimizer;
    // 62 rows per epoch: step 5 ends within a shard, step 11 in the second epoch.
    std::vector<double> pieces;
    for (const std::int64_t stop : {5, 11, 0}) {
      Watcher part(stop);
      EXPECT_EQ(stop == 0 ? "nothing thrown" : Cancelled().what(), thrown_by([&] { train(parts, part); }));
      for (const double loss : losses(part)) pieces.push_back(loss);
    }
    EXPECT_EQ(pieces, losses(straight));
    EXPECT_EQ(read_bytes(checkpoint(name + "_parts", 12)), read_bytes(checkpoint(name + "_whole", 12)));
  }
}

TEST_F(TrainTest, FinishedRunHasNothingToDo) {
  Watcher first;
  train(options("out", 3), first);
  Watcher second;
  const TrainReport report = train(options("out", 3), second);
  EXPECT_EQ(report.steps, 0);
  EXPECT_TRUE(second.steps.empty());
  EXPECT_EQ(second.plan.first_step, 3);
}

TEST_F(TrainTest, KeepsTheLastCheckpointsAndNothingElse) {
  TrainOptions many = options("out", 9);
  many.run.save_every = 2;
  many.run.keep = 2;
  Watcher watcher;
  train(many, watcher);
  EXPECT_THAT(names_of(read_tree(folder_ / "out")),
              ElementsAre("checkpoint_8.safetensors", "checkpoint_9.safetensors"));
}

TEST_F(TrainTest, RefusesToContinueWithSomethingElse) {
  Watcher watcher;
  train(options("out", 2), watcher);
  const auto refusal = [&](const std::function<void(TrainOptions&)>& change) {
    TrainOptions changed = options("out", 4);
    change(changed);
    Watcher silent;
    return thrown_by([&] { train(changed, silent); });
  };
  EXPECT_THAT(refusal([](TrainOptions& o) { o.data.seed = 9; }), HasSubstr("another `seed`"));
  EXPECT_THAT(refusal([](TrainOptions& o) { o.data.shuffle = false; }), HasSubstr("another `seed` or `shuffle`"));
  EXPECT_THAT(refusal([](TrainOptions& o) { o.data.order = RowShuffle::kV1; }),
              HasSubstr("takes rows in the order v2; give `order` v2 to resume it"));
  EXPECT_THAT(refusal([](TrainOptions& o) { o.optimizer.optimizer = OptimizerKind::kLans; }),
              HasSubstr("`optimizer` nvlamb"));
  EXPECT_THAT(refusal([](TrainOptions& o) { o.run.phase1_end_step = 7; }), HasSubstr("`phase1_end_step` 0"));
  EXPECT_THAT(refusal([](TrainOptions& o) { o.model.model = "tiny"; }), HasSubstr("`model`"));
  EXPECT_THAT(refusal([](TrainOptions& o) { o.model.gelu = Gelu::kTanh; }), HasSubstr("`gelu`"));
  folder_.write("other_heads.json", R"({"vocab_size": 96, "hidden_size": 32, "num_hidden_layers": 2,
      "num_attention_heads": 2, "intermediate_size": 64, "max_position_embeddings": 32})");
  const std::string other_heads = (folder_ / "other_heads.json").string();
  EXPECT_THAT(refusal([&](TrainOptions& o) { o.model.model = other_heads; }), HasSubstr("another `model`"));
  add_shard("x_training_3.hdf5", 4);
  EXPECT_THAT(refusal([](TrainOptions&) {}), HasSubstr("other shards"));
  EXPECT_EQ(refusal([](TrainOptions& o) { o.run.resume = false; }), "nothing thrown");
}

TEST_F(TrainTest, ResumesTheOrderOfOlderRunsOnlyWhenRequested) {
  Watcher watcher;
  TrainOptions older = options("out", 2);
  older.data.order = RowShuffle::kV1;
  train(older, watcher);
  older.run.max_steps = 4;
  TrainOptions newer = older;
  newer.data.order = RowShuffle::kV2;
  EXPECT_THAT(thrown_by([&] { train(newer, watcher); }),
              HasSubstr("takes rows in the order v1; give `order` v1 to resume it"));
  Watcher resumed;
  EXPECT_EQ(train(older, resumed).steps, 2);
  EXPECT_EQ(resumed.plan.first_step, 2);
}

TEST_F(TrainTest, SecondPhaseStartsFromTheFirst) {
  Watcher first;
  train(options("phase1", 4), first);
  TrainOptions second = options("phase2", 3);
  second.run.init_from = (folder_ / "phase1").string();
  second.run.phase1_end_step = 4;
  second.schedule.warmup = 1;
  second.run.log_json = (folder_ / "log.jsonl").string();
  Watcher watcher;
  train(second, watcher);
  // The schedule restarts; names and logs continue counting.
  EXPECT_NEAR(watcher.steps[0].learning_rate, 1e-3 / 3, 1e-12);
  EXPECT_TRUE(std::filesystem::exists(checkpoint("phase2", 7)));
  const auto lines = read_json_lines(folder_ / "log.jsonl");
  EXPECT_EQ(lines.back().at("step").integers(), std::vector<int>{7});
  // A third run, after a stop, continues from its own checkpoint, not from its initial one.
  second.run.max_steps = 5;
  Watcher again;
  train(second, again);
  EXPECT_EQ(again.plan.first_step, 3);
}

TEST_F(TrainTest, BatchCutIntoMicroBatchesIsTheSameBatch) {
  // With dropout, which depends only on the rows; rows differ in their predictions.
  std::vector<std::vector<double>> runs;
  for (const std::int64_t micro : {0, 3, 1}) {
    TrainOptions cut = options("", 12);
    cut.data.micro_batch = micro;
    cut.model.dropout = 0.2;
    Watcher watcher;
    train(cut, watcher);
    runs.push_back(losses(watcher));
  }
  for (std::size_t i = 0; i < runs[0].size(); ++i) {
    EXPECT_NEAR(runs[1][i], runs[0][i], 1e-6);
    EXPECT_NEAR(runs[2][i], runs[0][i], 1e-6);
  }
}

TEST_F(TrainTest, MeansOfMicroBatchesAreAskedFor) {
  std::vector<double> last;
  for (const LossMean mean : {LossMean::kBatch, LossMean::kMicroBatch}) {
    TrainOptions uneven = options("", 6);
    uneven.data.micro_batch = 1;
    uneven.data.loss_mean = mean;
    Watcher watcher;
    train(uneven, watcher);
    last.push_back(watcher.steps.back().loss);
  }
  EXPECT_GT(std::abs(last[0] - last[1]), 1e-6);
}

TEST_F(TrainTest, MeansOfEvenMicroBatchesAddUpToTheBatch) {
  // The same number of predictions in each micro-batch: then the mean of means is the mean.
  Batch rows = drawn_rows(24, 32, 1, kVocab);
  std::filesystem::create_directory(folder_ / "even");
  write_shard(folder_ / "even/x_training_0.hdf5", {24, 32, 1}, rows);
  std::vector<double> last;
  for (const std::int64_t micro : {12, 4, 1}) {
    TrainOptions even = options("", 6);
    even.data.data = (folder_ / "even").string();
    even.data.batch_size = 12;
    even.data.micro_batch = micro;
    even.data.loss_mean = LossMean::kMicroBatch;
    even.model.dropout = 0;
    Watcher watcher;
    train(even, watcher);
    last.push_back(watcher.steps.back().loss);
  }
  EXPECT_NEAR(last[1], last[0], 1e-5);
  EXPECT_NEAR(last[2], last[0], 1e-5);
}

TEST_F(TrainTest, EvaluatesOnTheTestShards) {
  TrainOptions with = options("", 5);
  with.run.eval_every = 2;
  with.run.eval_rows = 7;
  Watcher watcher;
  train(with, watcher);
  ASSERT_EQ(watcher.evaluations.size(), 3U);
  EXPECT_EQ(watcher.evaluations[2].step, 5);
  EXPECT_EQ(watcher.evaluations[0].rows, 7U);
  EXPECT_NEAR(watcher.evaluations[0].loss, std::log(96.0) + std::log(2.0), 0.3);
  std::filesystem::remove(folder_ / "x_test_0.hdf5");
  EXPECT_THAT(thrown_by([&] { train(with, watcher); }), HasSubstr("'test'"));
}

TEST_F(TrainTest, LearnsWhatCanBeLearned) {
  // Every masked token is the same one, and so is every label.
  Batch rows = drawn_rows(32, 32, 5, kVocab);
  for (std::size_t i = 0; i < rows.masked_lm_ids.size(); ++i) {
    if (rows.masked_lm_positions[i] != 0) rows.masked_lm_ids[i] = 17;
  }
  for (auto& label : rows.next_sentence_labels) label = 1;
  std::filesystem::create_directory(folder_ / "easy");
  write_shard(folder_ / "easy/x_training_0.hdf5", {32, 32, 5}, rows);
  TrainOptions easy = options("", 60);
  easy.data.data = (folder_ / "easy").string();
  easy.optimizer.optimizer = OptimizerKind::kAdamw;
  easy.schedule.learning_rate = 0.005;
  Watcher watcher;
  train(easy, watcher);
  EXPECT_LT(watcher.steps.back().loss, 0.5);
  EXPECT_GT(watcher.steps.back().mlm_accuracy, 0.99);
  EXPECT_EQ(watcher.steps.back().nsp_accuracy, 1);
}

TEST_F(TrainTest, RefusesAVocabularyThatIsTooSmall) {
  folder_.write("config.json", R"({"vocab_size": 40, "hidden_size": 32, "num_hidden_layers": 1,
      "num_attention_heads": 4, "max_position_embeddings": 32})");
  Watcher watcher;
  EXPECT_THAT(thrown_by([&] { train(options(""), watcher); }), HasSubstr("vocabulary of 40"));
  folder_.write("config.json", R"({"vocab_size": 96, "hidden_size": 32, "num_hidden_layers": 1,
      "num_attention_heads": 4, "max_position_embeddings": 16})");
  EXPECT_THAT(thrown_by([&] { train(options(""), watcher); }), HasSubstr("max_position_embeddings"));
}

TEST_F(TrainTest, NamesStepLayerAndRowsOfNonFiniteNumbers) {
  const ModelConfig config = resolve_model((folder_ / "config.json").string());
  Bert model(config, {}, 1, at::kCPU);
  Optimizer optimizer({}, model.parameters());
  const ShardSet set = list_shards(folder_.path(), "training", true);
  TrainingBatch batch;
  RowStream(set, RowOrder(set, 1, RowShuffle::kNone), 20).next(6, batch);
  const auto alone = lone_process();
  const StepTeam team{*alone};
  const StepSetup setup{.step = 17, .seed = 1, .learning_rate = 0.1, .micro_batch_rows = 3};
  // The fifth row of the batch, the second of x_training_1, is the only one with a second segment.
  for (auto& segment : batch.rows.segment_ids) segment = 0;
  batch.rows.segment_ids[4 * 32 + 3] = 1;
  const at::Tensor row = model.weight("bert.embeddings.token_type_embeddings.weight").detach()[1];
  const at::Tensor valid = row.clone();
  row.fill_(std::numeric_limits<float>::infinity());
  const std::string told = thrown_by([&] { train_step(model, optimizer, batch, set, setup, team); });
  EXPECT_THAT(told, HasSubstr("step 17"));
  EXPECT_THAT(told, HasSubstr("first in embeddings"));
  EXPECT_THAT(told, HasSubstr("rows x_training_1.hdf5:1;"));
  row.copy_(valid);
  model.weight("bert.encoder.layer.1.output.dense.bias").detach()[0] = std::nan("");
  EXPECT_THAT(thrown_by([&] { train_step(model, optimizer, batch, set, setup, team); }),
              HasSubstr("bert.encoder.layer.1.output, rows x_training_0.hdf5:20"));
}

TEST_F(TrainTest, ExportedModelIsTheSameModel) {
  TrainOptions exporting = options("out", 3);
  exporting.run.export_folder = (folder_ / "hf").string();
  Watcher watcher;
  train(exporting, watcher);
  const SafetensorsFile exported(folder_ / "hf/model.safetensors");
  const SafetensorsFile kept(checkpoint("out", 3));
  EXPECT_NE(exported.find("cls.predictions.decoder.weight"), nullptr);
  const ModelConfig config = resolve_model((folder_ / "hf/config.json").string());
  Bert model(config, {}, 99, at::kCPU);
  load_weights(folder_ / "hf", model);
  for (const Parameter& parameter : model.parameters()) {
    const TensorView* view = kept.find(parameter.name);
    ASSERT_NE(view, nullptr);
    EXPECT_EQ(std::memcmp(view->bytes.data(), parameter.value.data_ptr(), view->bytes.size()), 0) << parameter.name;
  }
}

// plain_bert.py strictly loads the result of two phases, and computes the same logits and losses.
TEST_F(TrainTest, ExportLoadsInPyTorch) {
  const std::filesystem::path script = source_folder() / "trainer" / "tests" / "golden" / "check_export.py";
  const std::string python = std::filesystem::exists("/usr/bin/python3") ? "/usr/bin/python3" : "python3";
  const Finished probe = run_program({python, "-c", "import torch, h5py"});
  if (probe.exit_status != 0) GTEST_SKIP() << "skipped: no PyTorch for Python";
  Watcher first;
  train(options("phase1", 3), first);
  TrainOptions exporting = options("phase2", 3);
  exporting.run.init_from = (folder_ / "phase1").string();
  exporting.run.phase1_end_step = 3;
  exporting.run.export_folder = (folder_ / "hf").string();
  exporting.run.eval_every = 3;
  Watcher watcher;
  train(exporting, watcher);
  Bert model(resolve_model((folder_ / "hf").string()), {}, 99, at::kCPU);
  load_weights(folder_ / "hf", model);
  std::map<std::string, std::string> logits;
  model.loss(model.batch_of(read_shard(folder_ / "x_test_0.hdf5"), 0, 9), {.dropout = false},
             [&](const std::string& name, const at::Tensor& values) {
               const at::Tensor copy = values.detach().contiguous();
               logits[name] = std::string(static_cast<const char*>(copy.data_ptr()), copy.nbytes());
             });
  folder_.write("logits.f32", logits.at("cls.predictions") + logits.at("cls.seq_relationship"));
  const Finished finished = run_program({python, "-B", script.string(), (folder_ / "hf").string(),
                                         (folder_ / "x_test_0.hdf5").string(), (folder_ / "logits.f32").string()});
  EXPECT_EQ(finished.exit_status, 0) << finished.err;
  EXPECT_NEAR(std::stod(finished.out), watcher.evaluations.back().loss, 2e-5);
}

}  // namespace
}  // namespace bertprep::test
