#include "trainer/weights/weights_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "bertprep/base/error.h"
#include "support/temp_folder.h"
#include "trainer/weights/weights_file.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;

class WeightsIndexTest : public testing::Test {
 protected:
  void SetUp() override {
    write_part("model-00001-of-00002.safetensors", "a", 1);
    write_part("model-00002-of-00002.safetensors", "b", 2);
  }
  void write_part(const std::string& file, const std::string& tensor, float value) {
    const std::array<float, 1> values{value};
    write_safetensors(folder_ / file, {{tensor, "F32", {1}, std::as_bytes(std::span(values)), {}}}, {});
  }
  void write_index(const std::string& map) {
    folder_.write(kWeightsIndexName, R"({"metadata": {"total_size": 8}, "weight_map": )" + map + "}");
  }
  std::string refusal(const std::string& map) {
    write_index(map);
    try {
      open_all_weights(find_weights(folder_.path()));
    } catch (const FormatError& error) {
      return error.what();
    }
    return "nothing thrown";
  }

  TempFolder folder_;
};

TEST_F(WeightsIndexTest, OpensAllFilesOnce) {
  write_index(R"({"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"})");
  EXPECT_EQ(find_weights(folder_.path()).filename(), kWeightsIndexName);
  const auto files = open_all_weights(find_weights(folder_.path()));
  ASSERT_EQ(files.size(), 2U);
  EXPECT_NE(files[0].find("a"), nullptr);
  EXPECT_NE(files[1].find("b"), nullptr);
  // One file is taken as such.
  EXPECT_EQ(open_all_weights(folder_ / "model-00001-of-00002.safetensors").size(), 1U);
}

TEST_F(WeightsIndexTest, SaysWhatIsWrong) {
  EXPECT_THAT(refusal(R"({"b": "model-00001-of-00002.safetensors"})"), HasSubstr("which lacks it"));
  EXPECT_THAT(refusal(R"({"a": "../model-00001-of-00002.safetensors"})"), HasSubstr("no file beside it for 'a'"));
  EXPECT_THAT(refusal(R"({"a": 1})"), HasSubstr("no file beside it"));
  EXPECT_THAT(refusal("[]"), HasSubstr("weight_map"));
  write_index(R"({"a": "absent.safetensors"})");
  EXPECT_THROW(open_all_weights(find_weights(folder_.path())), IoError);
}

}  // namespace
}  // namespace bertprep::test
