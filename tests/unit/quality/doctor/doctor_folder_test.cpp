// Doctor's findings in a folder: names, numbers, sizes.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "bertprep/base/error.h"
#include "bertprep/shard/manifest.h"
#include "shard/hdf5/file_digest.h"
#include "unit/quality/valid_set.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class DoctorFolderTest : public ValidSetTest {};

TEST_F(DoctorFolderTest, FindsOneFile) {
  add_valid({"x_training_0.hdf5", "x_test_0.hdf5"});
  EXPECT_EQ(found(), "one-file at x_training_0.hdf5: is the only training file\n");
  EXPECT_EQ(findings().front().severity(), Severity::kHang);
  EXPECT_EQ(found({.trainers = {TrainerKind::kBerttrain}}), "");
}

TEST_F(DoctorFolderTest, FindsFewerFilesThanRanks) {
  add_valid();
  EXPECT_EQ(found({.ranks = 2}), "");
  EXPECT_EQ(found({.ranks = 3}), "fewer-files-than-ranks at : has 2 training files for 3 ranks\n");
  EXPECT_THAT(findings({.ranks = 3}).front().fix, HasSubstr("reshard {dir} --shards 3"));
}

TEST_F(DoctorFolderTest, FindsSideFiles) {
  add_valid();
  std::ofstream(folder_ / "x_training_0.hdf5.sha256") << "abc";
  std::ofstream(folder_ / "README.md") << "abc";
  std::filesystem::create_directory(folder_ / "training_logs");
  EXPECT_THAT(found(), StartsWith("side-file at x_training_0.hdf5.sha256: "));
  EXPECT_EQ(findings().size(), 1U);
  EXPECT_EQ(found({.trainers = {TrainerKind::kNeuron}}), "");
}

TEST_F(DoctorFolderTest, FindsUnequalRows) {
  add_valid({"x_training_0.hdf5"});
  add("x_training_1.hdf5", slice(rows_of(9), kShape, 0, 36));
  EXPECT_EQ(found(), "unequal-rows at x_training_1.hdf5: has 36 rows, x_training_0.hdf5 has 40 rows\n");
  EXPECT_EQ(found({.ranks = 1}), "");
  EXPECT_EQ(found({.trainers = {TrainerKind::kNeuron}, .micro_batch = 16}), "");
  EXPECT_THAT(findings({.micro_batch = 10}).front().fix, HasSubstr("--equal-rows drop --rows-multiple-of 10"));
  EXPECT_EQ(findings({.trainers = {TrainerKind::kHabana}}).front().severity(), Severity::kRemark);
  EXPECT_EQ(found({.trainers = {TrainerKind::kNvidia}}), "");
}

TEST_F(DoctorFolderTest, TestShardsMayHaveOtherNumbersOfRows) {
  add_valid();
  add("x_test_0.hdf5", slice(rows_of(9), kShape, 0, 7));
  EXPECT_EQ(found(), "");
}

TEST_F(DoctorFolderTest, FindsRowsOfTwoLengths) {
  add_valid({"x_training_0.hdf5"});
  const ShardShape shape{40, 32, 4};
  add("x_training_1.hdf5", rows_of(9, shape), shape);
  EXPECT_EQ(found(),
            "row-lengths at x_training_1.hdf5: has rows of 32 tokens and 4 predictions, x_training_0.hdf5 of 24 "
            "tokens and 4 predictions\n");
}

TEST_F(DoctorFolderTest, OtherWidthsBefallOnlyThoseWhoReadThem) {
  add_valid();
  const ShardShape longer{40, 32, 4};
  add("x_test_0.hdf5", rows_of(9, longer), longer);
  EXPECT_EQ(found(),
            "column-widths at x_training_0.hdf5: has rows of 24 tokens and 4 predictions, x_test_0.hdf5 of 32 "
            "tokens and 4 predictions\n");
  EXPECT_EQ(found({.trainers = {TrainerKind::kNvidia}}), "");
  std::filesystem::remove(folder_ / "x_test_0.hdf5");
  const ShardShape roomier{40, 24, 6};
  add("x_training_2.hdf5", rows_of(9, roomier), roomier);
  EXPECT_THAT(found(), StartsWith("column-widths at x_training_2.hdf5: "));
  EXPECT_EQ(found({.trainers = {TrainerKind::kHabana}}), "");
}

TEST_F(DoctorFolderTest, FindsDamagedFiles) {
  add_valid({"x_training_0.hdf5", "x_training_1.hdf5", "x_training_2.hdf5"});
  std::filesystem::resize_file(folder_ / "x_training_2.hdf5",
                               std::filesystem::file_size(folder_ / "x_training_2.hdf5") / 2);
  EXPECT_THAT(found(), StartsWith("damaged-file at x_training_2.hdf5: "));
  EXPECT_EQ(findings().size(), 1U);
}

TEST_F(DoctorFolderTest, FindsFilesWithoutRows) {
  add_valid();
  add("x_training_2.hdf5", slice(rows_of(9), kShape, 0, 0));
  EXPECT_THAT(found({.trainers = {TrainerKind::kNvidia}}), "no-rows at x_training_2.hdf5: holds no rows\n");
}

TEST_F(DoctorFolderTest, FindsCopies) {
  add_valid();
  add("x_test_0.hdf5", rows_of(2));
  EXPECT_EQ(found(), "same-rows at x_training_1.hdf5: holds the same rows as x_test_0.hdf5\n");
}

TEST_F(DoctorFolderTest, FindsNamesThatMislead) {
  add_valid({"test-corpus_training_0.hdf5", "test-corpus_training_1.hdf5"});
  EXPECT_EQ(found(),
            "split-words at test-corpus_training_0.hdf5: belongs to the splits 'train' and 'test' by its "
            "name\n");
  EXPECT_EQ(found({.trainers = {TrainerKind::kNvidia}}), "");
}

TEST_F(DoctorFolderTest, FindsTestShardsThatAreTrainedOn) {
  add_valid({"training-corpus_training_0.hdf5", "training-corpus_training_1.hdf5", "training-corpus_test_0.hdf5"});
  EXPECT_EQ(found({.trainers = {TrainerKind::kNvidia}}),
            "test-named-training at training-corpus_test_0.hdf5: is a test shard with 'training' in its name\n");
}

TEST_F(DoctorFolderTest, FindsNamesThatNobodyTakes) {
  add_valid({"part-0.hdf5", "part-1.hdf5"});
  EXPECT_EQ(found(), "no-training-file at : none of its 2 HDF5 files has 'training' in its name\n");
  EXPECT_EQ(found({.trainers = {TrainerKind::kHuggingFace}}).substr(0, 16), "dropped-columns ");
}

TEST_F(DoctorFolderTest, FindsEndingsThatNeuronLeavesOut) {
  add_valid({"x_training_0.h5", "x_training_1.h5"});
  EXPECT_EQ(found(), "other-ending at x_training_0.h5: doesn't fit *_training_*.hdf5\n");
}

TEST_F(DoctorFolderTest, FindsTheFolderAbove) {
  std::filesystem::create_directories(folder_ / "phase1/x");
  add_valid({"phase1/x/x_training_0.hdf5", "phase1/x/x_training_1.hdf5"});
  EXPECT_EQ(found(), "folder-level at : holds no shard itself; 1 folder below it does\n");
  EXPECT_THAT(findings().front().fix, HasSubstr("phase1/x"));
  Progress progress;
  EXPECT_EQ(diagnose(folder_.path(), {}, progress).size(), 2U);
}

TEST_F(DoctorFolderTest, FindsARenamedFolderForHabana) {
  const std::string phase =
      "hdf5_lower_case_1_seq_len_24_max_pred_4_masked_lm_prob_0.15_random_seed_12345_dupe_factor_5";
  for (const auto& [name, is_found] : {std::pair("books_wiki_en_corpus", false), {"mine", true}}) {
    std::filesystem::create_directories(folder_ / phase / name);
    add_valid({phase + "/" + name + "/x_training_0.hdf5", phase + "/" + name + "/x_training_1.hdf5"});
    Progress progress;
    const auto diagnoses = diagnose(folder_ / phase / name, {.trainers = {TrainerKind::kHabana}}, progress);
    EXPECT_EQ(diagnoses.front().findings.size(), is_found ? 1U : 0U) << name;
    EXPECT_EQ(diagnoses.front().serious(), 0U);
  }
}

TEST_F(DoctorFolderTest, ReportsMissingShardsOfTheManifest) {
  add_valid({"x_training_1.hdf5", "x_training_2.hdf5"});
  EXPECT_EQ(found(), "") << "numbers may begin anywhere";
  Manifest manifest;
  manifest.dataset = "x";
  manifest.recipe = {{"vocab-size", "2000"}};
  for (int i = 0; i < 3; ++i) manifest.shards.push_back({"x_training_" + std::to_string(i) + ".hdf5", 40, 1, "", ""});
  std::ofstream(folder_ / Manifest::kFileName) << manifest.to_json();
  EXPECT_THAT(found(), HasSubstr("missing-files at x_training_0.hdf5: is in the manifest, but missing"));
  EXPECT_THAT(found(), HasSubstr("the vocabulary has 2,000 pieces"));
  EXPECT_THAT(found({.model_pieces = 30522}), HasSubstr("vocabulary-too-large at : the model has 30,522 pieces"));
}

TEST_F(DoctorFolderTest, PassesOverAnotherProgramsManifest) {
  add_valid();
  std::ofstream(folder_ / Manifest::kFileName) << "{}";
  EXPECT_EQ(found(), "");
}

TEST_F(DoctorFolderTest, LooksAtOneFile) {
  add_valid({"x_training_0.hdf5"});
  Progress progress;
  EXPECT_TRUE(diagnose(folder_ / "x_training_0.hdf5", {}, progress).front().findings.empty());
}

TEST_F(DoctorFolderTest, RefusesWhatHoldsNoRows) {
  Progress progress;
  EXPECT_THROW(diagnose(folder_ / "nowhere", {}, progress), IoError);
  EXPECT_THROW(diagnose(folder_.path(), {}, progress), FormatError);
  struct Impatient final : Progress {
    bool cancelled() const override { return true; }
  } impatient;
  add_valid();
  EXPECT_THROW(diagnose(folder_.path(), {}, impatient), Cancelled);
}

TEST_F(DoctorFolderTest, CountsEachTrapOnce) {
  add_valid({"x_training_0.hdf5"});
  for (int file = 1; file < 31; ++file) {
    Batch rows = rows_of(++seed_);
    for (const std::size_t row : {3U, 5U}) rows.masked_lm_positions[row * kShape.max_predictions + 1] = 0;
    add("x_training_" + std::to_string(file) + ".hdf5", rows);
  }
  const auto list = findings();
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list.front().rows, 60U);
  EXPECT_EQ(list.front().file_count, 30U);
  EXPECT_EQ(list.front().files.size(), Finding::kMaxFiles);
}

}  // namespace
}  // namespace bertprep::test
