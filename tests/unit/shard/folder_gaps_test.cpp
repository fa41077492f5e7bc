#include "shard/folder_gaps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bertprep/base/error.h"
#include "bertprep/shard/manifest.h"
#include "io/digest.h"
#include "io/input_file.h"
#include "support/sealed_bytes.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

class FolderGapsTest : public testing::Test {
 protected:
  void add(const std::vector<std::string>& files) {
    for (const std::string& file : files) temp_.write("x/" + file, "");
  }
  void add_state(const std::string& file, const std::string& text) { temp_.write(".x.bertprep/" + file, text); }
  void add_run(int training, int test) {
    add_state("run.json", test::sealed_anew(R"({"dataset": "x", "train-shards": )" + std::to_string(training) +
                                            R"(, "test-shards": )" + std::to_string(test) + "}"));
  }
  void add_record(const std::string& stem, const std::string& seed) {
    add_state("records/" + stem + ".json",
              test::sealed_anew(R"({"outputs": [{"name": ")" + stem + R"(.hdf5"}], "recipe": {"random-seed": ")" +
                                seed + R"("}})"));
  }
  // Its name in the state folder.
  std::string add_announcement(const std::string& text) {
    const std::string name = "array-" + sha256_of(text).substr(0, 12) + ".json";
    add_state(name, text);
    return name;
  }
  void flip_a_digit(const std::string& file, char digit) {
    std::string bytes = read_file(temp_ / ".x.bertprep" / file);
    const std::size_t at = bytes.find(digit);
    ASSERT_NE(at, std::string::npos);
    bytes[at] = static_cast<char>(bytes[at] ^ 1);
    add_state(file, bytes);
  }
  void add_manifest(const std::vector<std::string>& files) {
    Manifest manifest;
    manifest.dataset = "x";
    for (const std::string& file : files) manifest.shards.push_back({file, 1, 1, std::string(64, '0'), ""});
    temp_.write("x/manifest.json", manifest.to_json());
  }
  std::vector<std::string> gaps() {
    std::vector<std::string> lines;
    for (const FolderGap& gap : find_gaps(temp_ / "x")) lines.push_back(gap.file + " " + gap.text);
    return lines;
  }
  const test::TempFolder temp_;
};

constexpr const char* kNoManifest = "manifest.json is missing: the run is not finished; run the same command again";

TEST_F(FolderGapsTest, TheManifestDecides) {
  add({"x_training_0.hdf5", "x_training_3.hdf5", "other_training_5.hdf5"});
  add_run(8, 0);
  add_manifest({"x_training_0.hdf5", "x_training_3.hdf5"});
  EXPECT_THAT(gaps(), IsEmpty());
  add_manifest({"x_training_0.hdf5", "x_training_1.hdf5", "x_training_3.hdf5"});
  EXPECT_THAT(gaps(), ElementsAre("x_training_1.hdf5 is in the manifest, but missing"));
  temp_.write("x/manifest.json", "");
  EXPECT_THROW(gaps(), FormatError);
}

TEST_F(FolderGapsTest, TheManifestNamesTheVocabulary) {
  Manifest manifest;
  manifest.dataset = "x";
  manifest.vocabulary = ManifestVocab{.name = "v", .sha256 = std::string(64, '0'), .size = 7};
  temp_.write("x/manifest.json", manifest.to_json());
  EXPECT_THAT(gaps(), ElementsAre("vocab.txt is in the manifest, but missing"));
  add({"vocab.txt"});
  EXPECT_THAT(gaps(), IsEmpty());
}

TEST_F(FolderGapsTest, ARunSaysHowManyShardsItMakes) {
  add({"x_training_0.hdf5", "x_training_2.hdf5", "x_test_0.hdf5", "x_test_3.hdf5"});
  add_run(6, 2);
  EXPECT_THAT(gaps(), ElementsAre(kNoManifest, "x_test_1.hdf5 is missing: the run makes 2",
                                  "x_test_3.hdf5 belongs to another run: this one makes 2",
                                  "x_training_1.hdf5 is missing: the run makes 6",
                                  "x_training_3.hdf5 to x_training_5.hdf5 are missing: the run makes 6"));
}

TEST_F(FolderGapsTest, ARunWithoutAManifestIsNotFinished) {
  add({"x_training_0.hdf5"});
  add_run(1, 0);
  EXPECT_THAT(gaps(), ElementsAre(kNoManifest));
}

TEST_F(FolderGapsTest, RecordsNameLostShards) {
  add({"x_training_0.hdf5"});
  add_record("x_training_0", "1");
  add_record("x_training_1", "1");
  EXPECT_THAT(gaps(), ElementsAre(kNoManifest, "x_training_1.hdf5 is missing: its completion record exists"));
}

TEST_F(FolderGapsTest, RecordsKnowTwoRecipes) {
  add({"x_training_0.hdf5", "x_training_1.hdf5"});
  add_record("x_training_0", "1");
  add_record("x_training_1", "2");
  EXPECT_THAT(gaps(), ElementsAre(kNoManifest,
                                  "x_training_1.hdf5 was made with another recipe than x_training_0.hdf5: "
                                  "random-seed is 2 and 1"));
}

TEST_F(FolderGapsTest, AnArrayAnnouncesItsShards) {
  add({"x_training_0.hdf5"});
  add_announcement(R"({"dataset": "x", "shards": ["x_training_0.hdf5", "x_training_1.hdf5"]})");
  EXPECT_THAT(
      gaps(),
      ElementsAre(
          "manifest.json is missing: the array job is not finished; run its remaining tasks, and its stage finish",
          "x_training_1.hdf5 is missing: an array job has yet to make it"));
}

// Each would promise shards that no run makes.
TEST_F(FolderGapsTest, DamagedFilesExpectNothing) {
  add({"x_training_0.hdf5"});
  add_run(4, 0);
  flip_a_digit("run.json", '4');
  EXPECT_THAT(gaps(), IsEmpty());
  add_record("x_training_1", "1");
  flip_a_digit("records/x_training_1.json", '1');
  EXPECT_THAT(gaps(), IsEmpty());
  flip_a_digit(add_announcement(R"({"dataset": "x", "shards": ["x_training_2.hdf5"]})"), '2');
  EXPECT_THAT(gaps(), IsEmpty());
}

TEST_F(FolderGapsTest, ARecordOfAnotherKindExpectsNothing) {
  add({"x_training_0.hdf5", "x_training_1.hdf5"});
  add_record("x_training_0", "1");
  for (const char* recipe : {R"("seed 1")", R"({"random-seed": {}})", "null"}) {
    add_state(
        "records/x_training_1.json",
        test::sealed_anew(R"({"outputs": [{"name": "x_training_1.hdf5"}], "recipe": )" + std::string(recipe) + "}"));
    EXPECT_THAT(gaps(), ElementsAre(kNoManifest)) << recipe;
  }
}

TEST_F(FolderGapsTest, NumbersTellOfOtherToolsFiles) {
  add({"x_training_0.hdf5", "x_training_1.hdf5", "notes.hdf5", "part_7.hdf5", "x_test_0.hdf5"});
  EXPECT_THAT(gaps(), IsEmpty());
  add({"x_training_7.hdf5", "x_test_2.h5"});
  EXPECT_THAT(gaps(),
              ElementsAre("x_test_1.h5 is missing: the names go up to x_test_2.h5",
                          "x_training_2.hdf5 to x_training_6.hdf5 are missing: the names go up to x_training_7.hdf5"));
}

TEST_F(FolderGapsTest, NumbersOfAnySizeAreNoWork) {
  add({"x_training_18446744073709551615.hdf5", "x_training_99999999999999999999999.hdf5"});
  EXPECT_THAT(gaps(), ElementsAre("x_training_0.hdf5 to x_training_18446744073709551614.hdf5 are missing: the names go "
                                  "up to x_training_18446744073709551615.hdf5"));
}

TEST_F(FolderGapsTest, UnreadableFilesCountAsAbsent) {
  add({"x_training_0.hdf5"});
  add_state("run.json", "");
  add_state("array-1.json", "{");
  add_state("records/x_training_0.json", R"({"outputs": 1})");
  EXPECT_THAT(gaps(), IsEmpty());
  EXPECT_THROW(find_gaps(temp_ / "absent"), IoError);
}

}  // namespace
}  // namespace bertprep
