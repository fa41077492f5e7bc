#include "batch/submission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "bertprep/base/error.h"
#include "io/json.h"
#include "support/golden_data.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

using test::read_bytes;
using test::TempFolder;

TEST(JobFiles, ReplaceWhatWasWrittenBefore) {
  const TempFolder temp;
  write_job_files(temp / "jobs", std::vector<JobFile>{{"a.json", "1"}, {"b.json", "2"}});
  write_job_files(temp / "jobs", std::vector<JobFile>{{"a.json", "3"}});
  write_job_files(temp / "jobs", std::vector<JobFile>{{"a.json", "1"}, {"b.json", "4"}});
  EXPECT_EQ(read_bytes(temp / "jobs" / "a.json"), "1");
  EXPECT_EQ(read_bytes(temp / "jobs" / "b.json"), "4");
}

// The record is written before the files, so a process killed between them leaves files that can be replaced.
TEST(JobFiles, ReplaceAnyMixtureThatAKillLeaves) {
  const TempFolder temp;
  write_job_files(temp.path(), std::vector<JobFile>{{"a.json", "1"}, {"b.json", "1"}});
  write_job_files(temp.path(), std::vector<JobFile>{{"a.json", "2"}, {"b.json", "2"}});
  temp.write("b.json", "1");
  EXPECT_NO_THROW(write_job_files(temp.path(), std::vector<JobFile>{{"a.json", "3"}, {"b.json", "3"}}));
}

TEST(JobFiles, ReplaceNothingElse) {
  const TempFolder temp;
  temp.write("b.json", "mine");
  const std::vector<JobFile> files = {{"a.json", "1"}, {"b.json", "2"}};
  EXPECT_THROW(write_job_files(temp.path(), files), FormatError);
  EXPECT_EQ(read_bytes(temp / "b.json"), "mine");
  EXPECT_FALSE(std::filesystem::exists(temp / "a.json"));
  temp.write("b.json", "2");
  EXPECT_NO_THROW(write_job_files(temp.path(), files));

  std::filesystem::create_directory(temp / "c.json");
  EXPECT_THROW(write_job_files(temp.path(), std::vector<JobFile>{{"c.json", "1"}}), FormatError);
}

TEST(SubmissionJournal, KeepsEveryJobAtOnce) {
  const TempFolder temp;
  SubmissionJournal first(temp / "jobs", "slurm", 8);
  first.add("fetch", "12");
  first.add("format", "13");
  SubmissionJournal(temp / "jobs", "slurm", 4).add("place", "14");

  const Json json = Json::parse(read_bytes(temp / "jobs" / "submitted.json"), "");
  const auto& entries = json.at("submissions").items();
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].at("jobs").at("format").text(), "13");
  EXPECT_EQ(entries[0].at("tasks").as_unsigned(), 8U);
  EXPECT_EQ(entries[1].at("jobs").at("place").text(), "14");
  EXPECT_THAT(entries[1].at("submitted").text(), testing::MatchesRegex("20..-..-..T..:..:..Z"));
}

TEST(SubmissionJournal, DoesNotOverwriteAnUnreadableJournal) {
  const TempFolder temp;
  temp.write("submitted.json", "[]");
  EXPECT_THROW(SubmissionJournal(temp.path(), "slurm", 8), FormatError);
}

}  // namespace
}  // namespace bertprep
