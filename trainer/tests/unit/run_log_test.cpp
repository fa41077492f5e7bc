#include "trainer/run_log.h"

#include <gtest/gtest.h>

#include <limits>

#include "bertprep/base/error.h"
#include "support/file_tree.h"
#include "support/golden_data.h"
#include "support/json_lines.h"
#include "support/temp_folder.h"

namespace bertprep::test {
namespace {

TEST(RunLog, WritesTheFieldsOfDllogger) {
  const TempFolder folder;
  RunLog(folder / "log.jsonl").write_texts(-1, {{"model", "tiny"}});
  RunLog(folder / "log.jsonl").write(3, {{"loss", 2.5}, {"norm", std::numeric_limits<double>::infinity()}});
  const auto lines = read_json_lines(folder / "log.jsonl");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].keys, (std::vector<std::string>{"timestamp", "datetime", "elapsedtime", "type", "step", "data"}));
  EXPECT_TRUE(lines[0].at("step").items.empty());
  EXPECT_EQ(lines[0].at("data").at("model").text, "tiny");
  EXPECT_EQ(lines[1].at("type").text, "LOG");
  EXPECT_EQ(lines[1].at("step").integers(), std::vector<int>{3});
  EXPECT_EQ(lines[1].at("data").at("loss").text, "2.5");
  EXPECT_EQ(lines[1].at("data").at("norm").text, "inf");
}

TEST(RunLog, PutsAMarkInFrontOfEachLine) {
  const TempFolder folder;
  RunLog(folder / "log", "DLLL ").write(3, {{"loss", 2.5}});
  EXPECT_TRUE(read_bytes(folder / "log").starts_with("DLLL {\"timestamp\":"));
}

TEST(RunLog, MakesItsFolderWhereItCan) {
  const TempFolder folder;
  RunLog(folder / "new/log.jsonl").write(1, {{"loss", 1}});
  EXPECT_EQ(read_json_lines(folder / "new/log.jsonl").size(), 1U);
  EXPECT_THROW(RunLog(folder / "new/log.jsonl/log.jsonl"), IoError);
}

}  // namespace
}  // namespace bertprep::test
