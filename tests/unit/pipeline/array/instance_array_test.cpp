// Only the instance stage as an array, and the folders that its tasks fill.
#include <gmock/gmock.h>

#include "bertprep/base/error.h"
#include "pipeline/array/array_job.h"
#include "pipeline/stages/loaded_stages.h"
#include "support/file_tree.h"
#include "unit/pipeline/small_run.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

class InstanceArray : public testing::Test {
 protected:
  InstanceStep task(const std::string& folder, const std::string& prefix = "s") {
    InstanceStep task;
    task.name = "small";
    for (int i = 0; i < 5; ++i) {
      const std::string text = "The article number " + std::to_string(i) + " is here.\nIt is of a kind.\n\n";
      task.text_shards.push_back(folder_.write("text/" + prefix + std::to_string(i) + ".txt", text));
    }
    task.phases = {{options_.phases().front(), folder_ / folder}};
    return task;
  }
  StageReport make(InstanceStep made, std::uint64_t array_task, std::uint64_t count) {
    made.share = {array_task, count};
    Progress silent;
    return make_instances(made, options_, silent);
  }
  void finish(const std::string& folder) {
    Progress silent;
    finish_shards(folder_ / folder, silent);
  }

  TempFolder folder_;
  PipelineOptions options_ = small_options(folder_);
};

TEST_F(InstanceArray, EqualsOneCall) {
  make(task("one"), 0, 1);
  for (const std::uint64_t count : {2, 5, 9}) {
    const std::string folder = "array" + std::to_string(count);
    for (std::uint64_t i = count; i-- > 0;) {
      make(task(folder), i, count);
      EXPECT_FALSE(fs::exists(folder_ / folder / "manifest.json"));
    }
    EXPECT_THAT(unfinished_shard_folders(folder_.path()), ElementsAre(folder_ / folder));
    finish(folder);
    EXPECT_EQ(difference(read_tree(folder_ / "one"), read_tree(folder_ / folder)), "");
    EXPECT_THAT(unfinished_shard_folders(folder_.path()), IsEmpty());
    EXPECT_FALSE(fs::exists(folder_ / ("." + folder + ".bertprep/partial")));
  }
}

TEST_F(InstanceArray, MissingShardsAreNamed) {
  make(task("array"), 1, 3);
  EXPECT_THAT([&] { finish("array"); },
              ThrowsMessage<FormatError>(AllOf(HasSubstr("3 of 5"), HasSubstr("s0.hdf5, s2.hdf5, s3.hdf5"))));
  EXPECT_FALSE(fs::exists(folder_ / "array/manifest.json"));
  make(task("array"), 0, 3);
  make(task("array"), 2, 3);
  finish("array");
  EXPECT_TRUE(fs::exists(folder_ / "array/manifest.json"));
}

TEST_F(InstanceArray, ALostShardIsMissing) {
  for (std::uint64_t i = 0; i < 2; ++i) make(task("array"), i, 2);
  fs::remove(folder_ / "array/s4.hdf5");
  EXPECT_THAT([&] { finish("array"); }, ThrowsMessage<FormatError>(HasSubstr("s4.hdf5")));
}

TEST_F(InstanceArray, FoldersAreFoundBelowARoot) {
  for (std::uint64_t i = 0; i < 2; ++i) {
    make(task("root/p1/small"), i, 2);
    make(task("root/p2/small"), i, 2);
  }
  EXPECT_THAT(unfinished_shard_folders(folder_ / "root"),
              ElementsAre(folder_ / "root/p1/small", folder_ / "root/p2/small"));
  EXPECT_THAT(unfinished_shard_folders(folder_ / "root/p2/small"), ElementsAre(folder_ / "root/p2/small"));
}

// The unfinished files of one array are not removed when another is finished.
TEST_F(InstanceArray, TwoArraysOfOneFolder) {
  for (std::uint64_t i = 0; i < 2; ++i) make(task("array", "a"), i, 2);
  make(task("array", "b"), 0, 2);
  const fs::path left = folder_.write(".array.bertprep/partial/b1.hdf5.host.1-2.partial", "half");
  EXPECT_THROW(finish("array"), FormatError);
  EXPECT_TRUE(fs::exists(left));
  make(task("array", "b"), 1, 2);
  finish("array");
  EXPECT_FALSE(fs::exists(left));
  EXPECT_THAT(unfinished_shard_folders(folder_ / "array"), IsEmpty());
}

TEST_F(InstanceArray, AnotherRecipeAmongThemIsRefused) {
  make(task("array"), 0, 2);
  options_.instances.dupe_factor = 2;
  make(task("array"), 1, 2);
  EXPECT_THAT([&] { finish("array"); }, ThrowsMessage<FormatError>(HasSubstr("dupe-factor")));
}

TEST_F(InstanceArray, AnInvalidTask) {
  EXPECT_THROW(make(task("array"), 2, 2), ConfigError);
  EXPECT_THROW(make(task("array"), 0, 0), ConfigError);
}

TEST_F(InstanceArray, AFolderOfNoArrayIsLeftAlone) {
  folder_.write("plain/notes.txt", "mine");
  const FileTree before = read_tree(folder_.path());
  finish("plain");
  finish("absent");
  EXPECT_EQ(difference(before, read_tree(folder_.path())), "");
  EXPECT_FALSE(fs::exists(folder_ / "absent"));
}

}  // namespace
}  // namespace bertprep::test
