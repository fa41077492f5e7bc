#include "batch/submission_journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bertprep/base/error.h"
#include "io/json.h"
#include "support/golden_data.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

using test::read_bytes;
using test::TempFolder;

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
