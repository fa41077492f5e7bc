#include "trainer/deepspeed_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "bertprep/base/error.h"
#include "support/temp_folder.h"
#include "support/thrown.h"

namespace bertprep::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::UnorderedElementsAre;

class DeepspeedConfigTest : public testing::Test {
 protected:
  DeepspeedChoices read(const std::string& json, std::uint64_t processes = 1, std::int64_t max_steps = 1000) {
    return read_deepspeed_config(folder_.write("ds.json", json), processes, max_steps);
  }
  std::map<std::string, std::string> options(const std::string& json, std::uint64_t processes = 1) {
    std::map<std::string, std::string> values;
    for (const DeepspeedChoice& choice : read(json, processes).choices) values[choice.option] = choice.value;
    return values;
  }
  std::string refusal(const std::string& json, std::uint64_t processes = 1) {
    return thrown_by([&] { read(json, processes); });
  }

 private:
  TempFolder folder_;
};

TEST_F(DeepspeedConfigTest, TakesWhatHasACounterpart) {
  const std::string json = R"({"train_batch_size": 64, "train_micro_batch_size_per_gpu": 8,
      "optimizer": {"type": "AdamW", "params": {"lr": 6e-4, "betas": [0.9, 0.95], "eps": 1e-8, "weight_decay": 0.1}},
      "scheduler": {"type": "WarmupDecayLR", "params": {"warmup_min_lr": 0, "warmup_max_lr": 0.0006,
          "warmup_num_steps": 40, "total_num_steps": 400, "warmup_type": "linear"}},
      "gradient_clipping": 1.0, "bf16": {"enabled": true}, "steps_per_print": 20,
      "zero_optimization": {"stage": 2, "reduce_bucket_size": 5e6}})";
  EXPECT_THAT(options(json),
              UnorderedElementsAre(Pair("batch-size", "64"), Pair("micro-batch", "8"), Pair("optimizer", "adamw"),
                                   Pair("learning-rate", "0.0006"), Pair("beta1", "0.9"), Pair("beta2", "0.95"),
                                   Pair("epsilon", "1e-08"), Pair("weight-decay", "0.1"), Pair("schedule", "linear"),
                                   Pair("warmup", "0.1"), Pair("max-steps", "400"), Pair("max-grad-norm", "1.0"),
                                   Pair("precision", "bf16"), Pair("log-every", "20"), Pair("zero", "2"),
                                   Pair("bucket-mb", "20")));
  EXPECT_THAT(read(json).notes, ElementsAre());
}

TEST_F(DeepspeedConfigTest, NamesAllElse) {
  EXPECT_THAT(read(R"({"fp16": {"enabled": false, "loss_scale": 0}, "wall_clock_breakdown": false,
      "zero_optimization": {"stage": 1, "overlap_comm": true}})")
                  .notes,
              ElementsAre("without a counterpart, not used: fp16.loss_scale, wall_clock_breakdown, "
                          "zero_optimization.overlap_comm"));
  EXPECT_THAT(read(R"({"fp16": {"enabled": true}})").notes, ElementsAre(HasSubstr("bf16 is used instead")));
  EXPECT_THAT(read(R"({"optimizer": {"type": "Lamb"}})").notes, ElementsAre(HasSubstr("NVIDIA's")));
  const auto logarithm = read(R"({"scheduler": {"type": "WarmupLR", "params": {"warmup_num_steps": 100}}})");
  EXPECT_THAT(logarithm.notes, ElementsAre(HasSubstr("linearly")));
  EXPECT_EQ(logarithm.choices.back().value, "0.1");
}

TEST_F(DeepspeedConfigTest, LeavesAutoToTheOptions) {
  const auto read_file = read(R"({"train_batch_size": "auto", "train_micro_batch_size_per_gpu": 4,
      "optimizer": {"type": "AdamW", "params": {"lr": "auto", "betas": "auto"}}, "bf16": {"enabled": "auto"}})");
  EXPECT_THAT(read_file.notes, ElementsAre("train_batch_size is auto: `batch_size` counts",
                                           "optimizer.params.lr is auto: "
                                           "`learning_rate` counts",
                                           HasSubstr("`beta1` and `beta2`"), HasSubstr("`precision`")));
  ASSERT_EQ(read_file.choices.size(), 2U);
  EXPECT_EQ(read_file.choices[0].option, "micro-batch");
}

TEST_F(DeepspeedConfigTest, AnyTwoBatchNumbersMakeTheThird) {
  const auto of = [&](const std::string& json, std::uint64_t processes) { return options(json, processes); };
  EXPECT_THAT(of(R"({"train_batch_size": 64, "gradient_accumulation_steps": 4})", 2),
              Contains(Pair("micro-batch", "8")));
  EXPECT_THAT(of(R"({"train_micro_batch_size_per_gpu": 8, "gradient_accumulation_steps": 4})", 2),
              Contains(Pair("batch-size", "64")));
  EXPECT_THAT(of(R"({"train_micro_batch_size_per_gpu": 8})", 3), Contains(Pair("batch-size", "24")));
  EXPECT_THAT(of(R"({"train_batch_size": 64})", 2), ElementsAre(Pair("batch-size", "64")));
  EXPECT_THAT(refusal(R"({"train_batch_size": 64, "train_micro_batch_size_per_gpu": 8,
      "gradient_accumulation_steps": 4})"),
              HasSubstr("train_batch_size 64 is not train_micro_batch_size_per_gpu 8 x gradient_accumulation_steps 4"));
  EXPECT_THAT(refusal(R"({"train_batch_size": 10, "gradient_accumulation_steps": 4})"),
              HasSubstr("is not a multiple of"));
}

TEST_F(DeepspeedConfigTest, RefusesWhatWouldTrainAnotherWay) {
  EXPECT_THAT(refusal(R"({"optimizer": {"type": "OneBitAdam"}})"), HasSubstr("onebitadam"));
  EXPECT_THAT(refusal(R"({"optimizer": {"type": "Adam", "params": {"adam_w_mode": false}}})"),
              HasSubstr("adam_w_mode"));
  EXPECT_THAT(refusal(R"({"scheduler": {"type": "OneCycle"}})"), HasSubstr("`schedule`"));
  EXPECT_THAT(refusal(R"({"zero_optimization": {"stage": 3}})"), HasSubstr("give 0, 1 or 2"));
  EXPECT_THAT(refusal(R"({"bf16": {"enabled": true}, "fp16": {"enabled": true}})"), HasSubstr("both"));
  EXPECT_THAT(refusal(R"({"optimizer": {"params": {"lr": 1}}, "scheduler": {"type": "WarmupLR",
      "params": {"warmup_max_lr": 2}}})"),
              HasSubstr("differ"));
  EXPECT_THAT(refusal(R"({"scheduler": {"type": "WarmupLR", "params": {"warmup_num_steps": 2000}}})"),
              HasSubstr("`max_steps`"));
  EXPECT_THAT(refusal(R"({"train_batch_size": 1.5})"), HasSubstr("whole number"));
  EXPECT_THAT(refusal(R"({"gradient_clipping": "much"})"), HasSubstr("not a number"));
  EXPECT_THAT(refusal("[]"), HasSubstr("JSON object"));
}

}  // namespace
}  // namespace bertprep::test
