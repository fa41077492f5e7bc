#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "bertprep/base/error.h"
#include "support/golden_data.h"
#include "support/run_program.h"
#include "support/temp_folder.h"
#include "support/thrown.h"
#include "trainer/weights/weights_file.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class WeightsFileTest : public testing::Test {
 protected:
  std::string found() const { return find_weights(folder_.path()).filename().string(); }
  std::string refusal_of_folder() const {
    return thrown_by<FormatError>([&] { find_weights(folder_.path()); });
  }
  std::string refusal_of(const std::string& name, const std::string& content) const {
    const fs::path path = folder_.write(name, content);
    return thrown_by<FormatError>([&] { open_weights(path); });
  }
  TempFolder folder_;
};

TEST_F(WeightsFileTest, TheBestOfAFolderIsFound) {
  EXPECT_THROW(find_weights(folder_.path()), ConfigError);
  folder_.write("ckpt_9.pt", "");
  folder_.write("checkpoint_3.safetensors", "");
  folder_.write("checkpoint_10.safetensors", "");
  EXPECT_EQ(found(), "checkpoint_10.safetensors");
  folder_.write("model.safetensors", "");
  EXPECT_EQ(found(), "model.safetensors");
  EXPECT_EQ(find_weights(folder_ / "checkpoint_3.safetensors"), folder_ / "checkpoint_3.safetensors");
}

TEST_F(WeightsFileTest, AFolderOfTorchSaveNamesTheCommandThatConverts) {
  for (const char* name : {"ckpt_9.pt", "pytorch_model.bin", "latest", "mp_rank_00_model_states.pt"}) {
    const fs::path path = folder_.write(name, "");
    const std::string folder = folder_.path().string();
    EXPECT_THAT(refusal_of_folder(), HasSubstr(folder + ": contains a model of torch.save; convert it: python3 "))
        << name;
    EXPECT_THAT(refusal_of_folder(), HasSubstr(" " + folder + " -o " + folder + "/model.safetensors"));
    fs::remove(path);
  }
}

TEST_F(WeightsFileTest, AModelInSeveralFilesIsRefused) {
  folder_.write("pytorch_model.bin.index.json", "{}");
  EXPECT_THROW(find_weights(folder_.path()), ConfigError);
}

TEST_F(WeightsFileTest, TheFormatIsToldByTheFirstBytes) {
  write_safetensors(folder_ / "z", {{"a", "U8", {0}, {}}}, {});
  EXPECT_EQ(open_weights(folder_ / "z").tensors().size(), 1U);
  for (const std::string& torch :
       {std::string("PK\x03\x04-----"), std::string("\x80\x02\x8a\x0al"), std::string("\x80\x05")}) {
    EXPECT_THAT(refusal_of("x.pt", torch), HasSubstr("x.pt: is a file of torch.save; convert it: python3 "));
  }
  for (const std::string& other :
       {std::string("no weights at all"), std::string(), std::string("PK\x05\x06"), std::string("\x80")}) {
    EXPECT_THAT(refusal_of("x.pt", other), HasSubstr("is not a safetensors file, or only part of one"));
  }
}

// A stand-in for Python prints its arguments as passed by the shell.
TEST_F(WeightsFileTest, TheCommandThatConvertsRunsAsItIs) {
  folder_.write("it's $HOME.pt", "PK\x03\x04");
  const fs::path path = folder_ / "it's $HOME.pt";
  const std::string message = thrown_by<FormatError>([&] { open_weights(path); });
  const std::string command = message.substr(message.find("python3 "));
  const Finished shown = run_program({"/bin/sh", "-c", "python3() { printf '%s\\n' \"$@\"; }\n" + command});
  EXPECT_THAT(shown.out, HasSubstr("torch_to_safetensors.py\n" + path.string() + "\n-o\n" +
                                   (folder_ / "it's $HOME.safetensors").string() + "\n"));
  const std::string script = shown.out.substr(0, shown.out.find('\n'));
  EXPECT_TRUE(fs::exists(source_folder() / script)) << script;
}

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
  // A single file is opened as such.
  EXPECT_EQ(open_all_weights(folder_ / "model-00001-of-00002.safetensors").size(), 1U);
}

TEST_F(WeightsIndexTest, ExplainsErrors) {
  EXPECT_THAT(refusal(R"({"b": "model-00001-of-00002.safetensors"})"), HasSubstr("which lacks it"));
  EXPECT_THAT(refusal(R"({"a": "../model-00001-of-00002.safetensors"})"), HasSubstr("no file beside it for 'a'"));
  EXPECT_THAT(refusal(R"({"a": 1})"), HasSubstr("no file beside it"));
  EXPECT_THAT(refusal("[]"), HasSubstr("weight_map"));
  write_index(R"({"a": "absent.safetensors"})");
  EXPECT_THROW(open_all_weights(find_weights(folder_.path())), IoError);
}

}  // namespace

}  // namespace bertprep::test
