// A model that PyTorch saved and torch_to_safetensors.py converted has the weights and the first loss of the same model
// without conversion, to the last bit. make_state_dicts.py writes the files: one pair is committed, all are made if
// PyTorch for Python is installed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "bertprep/base/error.h"
#include "support/golden_data.h"
#include "support/run_program.h"
#include "support/temp_folder.h"
#include "trainer/parameters.h"
#include "trainer/tests/golden/drawn_rows.h"
#include "trainer/torch/checkpoint.h"
#include "trainer/torch/models.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kPieces = 21;

ModelConfig small_config() {
  ModelConfig config{.vocab_size = 24, .hidden_size = 4, .layers = 2, .attention_heads = 2, .intermediate_size = 8};
  config.max_positions = 8;
  return config;
}

Bert model_of(const fs::path& path) {
  Bert model(small_config(), {}, 5, at::kCPU);
  load_weights(path, model);
  return model;
}

bool same_bits(const at::Tensor& a, const at::Tensor& b) {
  const at::Tensor left = a.detach().contiguous();
  const at::Tensor right = b.detach().contiguous();
  return left.nbytes() == right.nbytes() && std::memcmp(left.data_ptr(), right.data_ptr(), left.nbytes()) == 0;
}

double loss_of(Bert& model) {
  const Batch rows = drawn_rows(6, 8, 2, kPieces);
  return model.loss(make_model_batch(ModelKind::kBert, rows, 0, 6, at::kCPU), {.dropout = false}).total.item<double>();
}

// The values of parameters in the safetensors file, without this project's conversions.
void expect_values_of_file(const Bert& model, const fs::path& path) {
  const SafetensorsFile file(path);
  const TensorView* view = file.find("bert.pooler.dense.weight");
  ASSERT_NE(view, nullptr);
  if (view->dtype != "F32") return;
  const at::Tensor& weight = model.weight("bert.pooler.dense.weight");
  EXPECT_EQ(std::memcmp(view->bytes.data(), weight.data_ptr(), view->bytes.size()), 0);
}

// Returns the loss.
double expect_same_models(const fs::path& converted, const fs::path& twin) {
  Bert saved = model_of(converted);
  Bert expected = model_of(twin);
  EXPECT_TRUE(same_bits(saved.values(), expected.values()));
  EXPECT_EQ(loss_of(saved), loss_of(expected));
  expect_values_of_file(saved, twin);
  return loss_of(saved);
}

fs::path committed(const char* name) {
  return source_folder() / "trainer" / "tests" / "golden" / "data" / "state_dicts" / name;
}

TEST(StateDictGoldenTest, OldNamesAreThoseOfToday) {
  expect_same_models(committed("old_names.safetensors"), committed("new_names.safetensors"));
}

class PyTorchTest : public testing::Test {
 protected:
  void SetUp() override {
    if (run_program({python_, "-c", "import torch"}).exit_status != 0) GTEST_SKIP() << "skipped: no PyTorch for Python";
  }
  Finished run(const std::string& script, const std::string& argument) const {
    return run_program({python_, "-B", (source_folder() / "trainer" / "tests" / "golden" / script).string(), argument});
  }

  std::string python_ = fs::exists("/usr/bin/python3") ? "/usr/bin/python3" : "python3";
  TempFolder folder_;
};

TEST_F(PyTorchTest, EveryLayoutIsTheSameModelOnceItIsConverted) {
  const Finished finished = run("make_state_dicts.py", folder_.path().string());
  ASSERT_EQ(finished.exit_status, 0) << finished.err;
  std::set<double> losses;
  std::size_t found = 0;
  for (const auto& entry : fs::directory_iterator(folder_.path())) {
    if (entry.path().extension() != ".pt") continue;
    SCOPED_TRACE(entry.path().filename());
    ++found;
    losses.insert(expect_same_models(fs::path(entry.path()).replace_extension(".converted"),
                                     fs::path(entry.path()).replace_extension(".safetensors")));
  }
  EXPECT_EQ(found, 16U);
  // Weights of 21 pieces, of 24, and those in 16 bits: the files are not all of one model.
  EXPECT_GE(losses.size(), 2U);
}

TEST(StateDictGoldenTest, PiecesThatAreMissingKeepTheirFirstValues) {
  const Bert fresh(small_config(), {}, 5, at::kCPU);
  const Bert saved = model_of(committed("old_names.safetensors"));
  const auto rows = [](const Bert& model, std::int64_t first, std::int64_t count) {
    return model.weight("bert.embeddings.word_embeddings.weight").detach().narrow(0, first, count);
  };
  EXPECT_TRUE(same_bits(rows(saved, kPieces, 3), rows(fresh, kPieces, 3)));
  EXPECT_FALSE(same_bits(rows(saved, kPieces - 1, 1), rows(fresh, kPieces - 1, 1)));
}

TEST(StateDictGoldenTest, AnotherModelIsRefused) {
  ModelConfig config = small_config();
  config.intermediate_size = 16;
  Bert model(config, {}, 5, at::kCPU);
  const fs::path file = committed("old_names.safetensors");
  try {
    load_weights(file, model);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("intermediate.dense.weight' is 8 x 4, the model has 16 x 4"));
  }
  config.layers = 3;
  Bert deeper(config, {}, 5, at::kCPU);
  EXPECT_THROW(load_weights(file, deeper), Error);
}

}  // namespace
}  // namespace bertprep::test
