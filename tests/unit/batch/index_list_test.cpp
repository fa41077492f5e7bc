#include "batch/index_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bertprep/base/error.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

const std::vector<std::uint64_t> kTasks{0, 3, 17, 18, 19};

TEST(IndexList, IsWrittenAsEachEngineTakesIt) {
  EXPECT_EQ(index_list_text(kTasks, "slurm"), "0,3,17-19\n");
  EXPECT_EQ(index_list_text(kTasks, "aws-batch"), "0\n3\n17\n18\n19\n");
  EXPECT_EQ(index_list_text(kTasks, "kubernetes"), "0\n3\n17\n18\n19\n");
  EXPECT_EQ(index_list_text(kTasks, "sge"), "1\n4\n18-20\n");
  EXPECT_EQ(index_list_text(kTasks, "pbs"), "0-1:2\n3-4:2\n17-19\n");
  EXPECT_EQ(index_list_text(kTasks, "lsf"), "1,4,18-20\n");
}

TEST(IndexList, OfNothingIsEmpty) {
  for (const char* syntax : {"slurm", "aws-batch", "sge", "pbs", "lsf", "kubernetes"})
    EXPECT_EQ(index_list_text({}, syntax), "");
}

TEST(IndexList, KnowsNoOtherSyntax) {
  EXPECT_THROW(index_list_text(kTasks, "condor"), ConfigError);
}

// Every set of eight tasks, read back by a plain reader of ranges.
TEST(IndexList, NamesExactlyTheTasks) {
  for (unsigned set = 1; set < 256; ++set) {
    std::vector<std::uint64_t> tasks;
    for (unsigned task = 0; task < 8; ++task) {
      if ((set >> task & 1U) != 0) tasks.push_back(task);
    }
    std::vector<std::uint64_t> read;
    std::string text = index_list_text(tasks, "slurm");
    text.back() = ',';
    for (std::size_t at = 0; at < text.size(); at = text.find(',', at) + 1) {
      const std::string part = text.substr(at, text.find(',', at) - at);
      const std::size_t dash = part.find('-');
      const std::uint64_t last = std::stoull(dash == std::string::npos ? part : part.substr(dash + 1));
      for (std::uint64_t task = std::stoull(part); task <= last; ++task) read.push_back(task);
    }
    EXPECT_EQ(read, tasks);
  }
}

TEST(IndexList, IsReadFromAFile) {
  const test::TempFolder temp;
  EXPECT_EQ(read_index_list(temp.write("list", index_list_text(kTasks, "aws-batch")), 20), kTasks);
  EXPECT_THAT(read_index_list(temp.write("unended", "7\n2"), 20), testing::ElementsAre(7, 2));
  EXPECT_THAT(read_index_list(temp.write("empty", ""), 20), testing::IsEmpty());
}

TEST(IndexList, OfAnotherArrayIsRefused) {
  const test::TempFolder temp;
  for (const char* text : {"1\n20\n", "1\n\n", "1\nx\n", "1\n2 \n", "1\n-2\n", "1\n3-5\n"}) {
    try {
      read_index_list(temp.write("list", text), 20);
      ADD_FAILURE() << text;
    } catch (const FormatError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("list:2: "));
    }
  }
}

}  // namespace
}  // namespace bertprep
