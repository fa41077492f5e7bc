#include "batch/array_position.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bertprep/base/error.h"
#include "support/temp_folder.h"
#include "unit/batch/variables.h"

namespace bertprep {
namespace {

using test::environment_of;
using test::Variables;

struct Known {
  const char* what;
  ArrayOptions given;
  Variables variables;
  ArrayPosition position;
};

struct Refused {
  ArrayOptions given;
  Variables variables;
  std::vector<std::string> words;
};

const Variables kSlurm5of8{{"SLURM_ARRAY_TASK_ID", "5"},
                           {"SLURM_ARRAY_TASK_COUNT", "8"},
                           {"SLURM_ARRAY_TASK_MIN", "0"},
                           {"SLURM_ARRAY_TASK_MAX", "7"}};
// --array=3,5: two tasks, not the second of two.
const Variables kSlurmSparse{{"SLURM_ARRAY_TASK_ID", "5"},
                             {"SLURM_ARRAY_TASK_COUNT", "2"},
                             {"SLURM_ARRAY_TASK_MIN", "3"},
                             {"SLURM_ARRAY_TASK_MAX", "5"}};
const Variables kSge{{"SGE_TASK_ID", "7"}, {"SGE_TASK_FIRST", "1"}, {"SGE_TASK_LAST", "9"}, {"SGE_TASK_STEPSIZE", "2"}};

TEST(ArrayPosition, ComesFromOptionsOrTheEngine) {
  const std::vector<Known> all{
      {"no array", {}, {}, {0, 1, ""}},
      {"given", {"3", "8", ""}, {}, {3, 8, ""}},
      {"given, whatever the engine says", {"3", "8", ""}, kSlurmSparse, {3, 8, ""}},
      {"AWS", {}, {{"AWS_BATCH_JOB_ARRAY_INDEX", "2"}, {"AWS_BATCH_JOB_ARRAY_SIZE", "4"}}, {2, 4, "AWS Batch"}},
      {"AWS, count given", {"", "6", ""}, {{"AWS_BATCH_JOB_ARRAY_INDEX", "2"}}, {2, 6, "AWS Batch"}},
      {"Kubernetes, count given", {"", "6", ""}, {{"JOB_COMPLETION_INDEX", "5"}}, {5, 6, "Kubernetes"}},
      {"AWS, a plain job for an array of one", {"", "1", ""}, {{"AWS_BATCH_JOB_ID", "x"}}, {0, 1, ""}},
      {"Slurm", {}, kSlurm5of8, {5, 8, "Slurm"}},
      {"Slurm, numbered from 10",
       {},
       {{"SLURM_ARRAY_TASK_ID", "12"},
        {"SLURM_ARRAY_TASK_COUNT", "4"},
        {"SLURM_ARRAY_TASK_MIN", "10"},
        {"SLURM_ARRAY_TASK_MAX", "13"}},
       {2, 4, "Slurm"}},
      {"Slurm with gaps, count given", {"", "8", ""}, kSlurmSparse, {5, 8, "Slurm"}},
      {"SGE outside of arrays", {}, {{"SGE_TASK_ID", "undefined"}, {"SGE_TASK_FIRST", "undefined"}}, {0, 1, ""}},
      {"SGE in steps", {}, kSge, {3, 5, "SGE"}},
      {"SGE, count given: its first task is task 0", {"", "8", ""}, kSge, {6, 8, "SGE"}},
      {"PBS, count given", {"", "8", ""}, {{"PBS_ARRAY_INDEX", "0"}}, {0, 8, "PBS"}},
      {"LSF outside of arrays", {}, {{"LSB_JOBINDEX", "0"}}, {0, 1, ""}},
      {"LSF", {}, {{"LSB_JOBINDEX", "1"}, {"LSB_JOBINDEX_END", "5"}}, {0, 5, "LSF"}},
      {"LSF, count given", {"", "5", ""}, {{"LSB_JOBINDEX", "5"}}, {4, 5, "LSF"}},
      {"empty variables are not set", {}, {{"SLURM_ARRAY_TASK_ID", ""}}, {0, 1, ""}},
  };
  for (const Known& known : all) {
    const ArrayPosition position = array_position(known.given, environment_of(known.variables));
    EXPECT_EQ(position.task, known.position.task) << known.what;
    EXPECT_EQ(position.count, known.position.count) << known.what;
    EXPECT_EQ(position.engine, known.position.engine) << known.what;
    EXPECT_FALSE(position.beyond_list) << known.what;
  }
}

TEST(ArrayPosition, IsNeverGuessed) {
  const std::vector<Refused> all{
      {{"3", "", ""}, {}, {"`array_task` is given without `array_count`"}},
      {{"", "", "list"}, {}, {"`array_list` is given without `array_count`"}},
      {{"8", "8", ""}, {}, {"`array_task` is 8, but there are 8 tasks, numbered from 0"}},
      {{"-1", "8", ""}, {}, {"`array_task` is -1, it must be at least 0"}},
      {{"x", "8", ""}, {}, {"`array_task`: 'x' is not a whole number"}},
      {{"", "0", ""}, {}, {"`array_count` is 0"}},
      {{"", "8", ""}, {}, {"not a known array job", "`array_task`"}},
      {{}, kSlurmSparse, {"SLURM_ARRAY_TASK_ID", "gaps (2 tasks from 3 to 5)", "give `array_count`"}},
      {{}, {{"SLURM_ARRAY_TASK_ID", "1"}}, {"SLURM_ARRAY_TASK_COUNT", "give `array_count`"}},
      {{"", "5", ""}, kSlurm5of8, {"SLURM_ARRAY_TASK_ID is 5, but there are 5 tasks"}},
      {{}, {{"AWS_BATCH_JOB_ARRAY_INDEX", "1"}}, {"AWS_BATCH_JOB_ARRAY_SIZE is not", "`array_count`"}},
      {{},
       {{"AWS_BATCH_JOB_ARRAY_INDEX", "4"}, {"AWS_BATCH_JOB_ARRAY_SIZE", "4"}},
       {"is 4, which is not in its array of 0 to 3"}},
      {{}, {{"AWS_BATCH_JOB_ARRAY_INDEX", "one"}}, {"AWS_BATCH_JOB_ARRAY_INDEX is 'one'", "unset"}},
      {{}, {{"PBS_ARRAY_INDEX", "1"}}, {"PBS does not say how many", "`array_count`"}},
      {{}, {{"LSB_JOBINDEX", "3"}, {"LSB_JOBINDEX_END", "9"}, {"LSB_JOBINDEX_STEP", "2"}}, {"steps of 2"}},
      {{"", "5", ""}, {{"LSB_JOBINDEX", "6"}}, {"LSB_JOBINDEX is 6, but there are 5 tasks, numbered from 1"}},
      {{"", "5", ""}, {{"SGE_TASK_ID", "0"}}, {"SGE counts tasks from 1"}},
      {{}, {{"PBS_ARRAY_INDEX", "1"}, {"SLURM_ARRAY_TASK_ID", "1"}}, {"both set", "`array_task`"}},
  };
  for (const Refused& refused : all) {
    try {
      array_position(refused.given, environment_of(refused.variables));
      ADD_FAILURE() << refused.words.front();
    } catch (const ConfigError& error) {
      for (const std::string& word : refused.words) EXPECT_THAT(error.what(), testing::HasSubstr(word));
    }
  }
}

TEST(ArrayPosition, OfAListIsTheTaskOnTheLine) {
  const test::TempFolder temp;
  const ArrayOptions given{"", "20", temp.write("list", "3\n17\n19\n")};
  const auto position = [&](const char* index) {
    return array_position(given,
                          environment_of({{"AWS_BATCH_JOB_ARRAY_INDEX", index}, {"AWS_BATCH_JOB_ARRAY_SIZE", "3"}}));
  };
  EXPECT_EQ(position("0").task, 3U);
  EXPECT_EQ(position("2").task, 19U);
  EXPECT_EQ(position("2").count, 20U);
  EXPECT_FALSE(position("2").beyond_list);
  EXPECT_EQ(array_position({"1", "20", given.array_list}, environment_of({})).task, 17U);
}

TEST(ArrayPosition, BeyondAListHasNothingToDo) {
  const test::TempFolder temp;
  const std::string list = temp.write("list", "3\n");
  EXPECT_TRUE(array_position({"1", "20", list}, environment_of({})).beyond_list);
  EXPECT_EQ(array_position({"", "20", list}, environment_of({})).task, 3U) << "a plain job for a list of one";
  EXPECT_TRUE(array_position({"", "20", temp.write("empty", "")}, environment_of({})).beyond_list);
  EXPECT_THROW(array_position({"", "20", temp.write("two", "1\n2\n")}, environment_of({})), ConfigError);
  EXPECT_THROW(array_position({"0", "20", (temp / "absent").string()}, environment_of({})), IoError);
}

}  // namespace
}  // namespace bertprep
