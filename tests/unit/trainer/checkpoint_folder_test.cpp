#include "trainer/checkpoint_folder.h"

#include <gtest/gtest.h>

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
