#include "trainer/checkpoint_folder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

#include "support/file_tree.h"
#include "support/temp_folder.h"

namespace bertprep::test {
namespace {

std::vector<TensorView> one_tensor() {
  return {{"x", "U8", {2}, std::as_bytes(std::span("AB", 2))}};
}

TEST(CheckpointFolder, KeepsTheNewest) {
  const TempFolder folder;
  for (const std::int64_t step : {5, 9, 10, 100}) write_checkpoint(folder / "out", step, 2, one_tensor(), {});
  EXPECT_EQ(names_of(read_tree(folder / "out")),
            (std::vector<std::string>{"checkpoint_10.safetensors", "checkpoint_100.safetensors"}));
  EXPECT_EQ(newest_checkpoint(folder / "out")->step, 100);
}

TEST(CheckpointFolder, ARunBegunAnewReplacesWhatWentFurther) {
  const TempFolder folder;
  for (const std::int64_t step : {500, 1000}) write_checkpoint(folder.path(), step, 2, one_tensor(), {});
  EXPECT_TRUE(std::filesystem::exists(write_checkpoint(folder.path(), 300, 1, one_tensor(), {})));
  EXPECT_EQ(names_of(read_tree(folder.path())), (std::vector<std::string>{"checkpoint_300.safetensors"}));
}

TEST(CheckpointFolder, RemovesWhatWasLeftUnfinished) {
  const TempFolder folder;
  const auto old = folder / "checkpoint_1.safetensors.elsewhere-1.1-1.partial";
  const auto live = folder / "checkpoint_2.safetensors.elsewhere-1.1-2.partial";
  for (const auto& path : {old, live}) std::ofstream(path) << "x";
  std::filesystem::last_write_time(old, std::filesystem::file_time_type::clock::now() - std::chrono::hours(2));
  write_checkpoint(folder.path(), 3, 2, one_tensor(), {});
  EXPECT_FALSE(std::filesystem::exists(old));
  EXPECT_TRUE(std::filesystem::exists(live));
}

TEST(CheckpointFolder, ShowsNothingUnfinished) {
  const TempFolder folder;
  const auto unfinished = unfinished_folder(folder / "out");
  std::ofstream(unfinished / "checkpoint_2.safetensors.elsewhere-1.1-2.partial") << "x";
  write_checkpoint(folder / "out", 3, 2, one_tensor(), {});
  EXPECT_TRUE(std::filesystem::exists(unfinished));  // another process may write there
  std::filesystem::remove(unfinished / "checkpoint_2.safetensors.elsewhere-1.1-2.partial");
  write_checkpoint(folder / "out", 4, 1, one_tensor(), {});
  EXPECT_FALSE(std::filesystem::exists(unfinished));
  EXPECT_EQ(names_of(read_tree(folder / "out")), (std::vector<std::string>{"checkpoint_4.safetensors"}));
}

TEST(CheckpointFolder, PassesOverOtherFiles) {
  const TempFolder folder;
  for (const char* name : {"checkpoint_x.safetensors", "checkpoint_7.safetensors.host.1.partial",
                           "checkpoint_-3.safetensors", "model.safetensors", "checkpoint_8"}) {
    std::ofstream(folder / name) << "x";
  }
  EXPECT_TRUE(list_checkpoints(folder.path()).empty());
  EXPECT_FALSE(newest_checkpoint(folder / "nowhere"));
}

}  // namespace
}  // namespace bertprep::test
