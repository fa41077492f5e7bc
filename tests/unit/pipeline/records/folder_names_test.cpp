#include "pipeline/records/run_layout.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

TEST(FolderNames, AreThoseOfTheReference) {
  InstanceOptions options;
  EXPECT_EQ(hdf5_folder_name(options, true),
            "hdf5_lower_case_1_seq_len_128_max_pred_20_masked_lm_prob_0.15_random_seed_12345_dupe_factor_5");
  options.seq_len = 512;
  options.max_predictions = 80;
  options.random_seed = "-007";
  options.masked_lm_prob = 1.0;
  options.dupe_factor = 2;
  EXPECT_EQ(hdf5_folder_name(options, false),
            "hdf5_lower_case_0_seq_len_512_max_pred_80_masked_lm_prob_1.0_random_seed_-7_dupe_factor_2");
  EXPECT_EQ(sharded_folder_name({.train_shards = 256, .test_shards = 256}),
            "sharded_training_shards_256_test_shards_256_fraction_0.1");
  EXPECT_EQ(training_name("wikitext-2", 3), "wikitext-2_training_3");
  EXPECT_EQ(test_name("wikitext-2", 0), "wikitext-2_test_0");
}

class WorkFolder : public testing::Test {
 protected:
  void SetUp() override { ::unsetenv("BERT_PREP_WORKING_DIR"); }
  void TearDown() override { ::unsetenv("BERT_PREP_WORKING_DIR"); }
};

TEST_F(WorkFolder, LiesBesideTheOutput) {
  EXPECT_EQ(default_work_folder("/data/hdf5_dataset"), "/data/bertprep-work");
  EXPECT_EQ(default_work_folder("/data/hdf5_dataset/"), "/data/bertprep-work");
}

TEST_F(WorkFolder, IsTheOneOfTheEnvironment) {
  ::setenv("BERT_PREP_WORKING_DIR", "/scratch/bert", 1);
  EXPECT_EQ(default_work_folder("/data/hdf5_dataset"), "/scratch/bert");
}

TEST_F(WorkFolder, IsNoAddressNorThatOfTheOutput) {
  EXPECT_THROW(work_folder({.output = "s3://bucket/x", .work = {}}), ConfigError);
  EXPECT_THROW(work_folder({.output = "/data/x", .work = "hdfs:///x"}), ConfigError);
  ::setenv("BERT_PREP_WORKING_DIR", "gs://bucket", 1);
  EXPECT_THROW(work_folder({.output = "/data/x", .work = {}}), ConfigError);
}

}  // namespace
}  // namespace bertprep
