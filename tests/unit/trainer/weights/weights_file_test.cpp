#include "trainer/weights/weights_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "bertprep/base/error.h"
#include "support/golden_data.h"
#include "support/run_program.h"
#include "support/temp_folder.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const FormatError& error) {
    return error.what();
  }
  return "nothing thrown";
}

class WeightsFileTest : public testing::Test {
 protected:
  std::string found() const { return find_weights(folder_.path()).filename().string(); }
  std::string refusal_of_folder() const {
    return refusal([&] { find_weights(folder_.path()); });
  }
  std::string refusal_of(const std::string& name, const std::string& content) const {
    const fs::path path = folder_.write(name, content);
    return refusal([&] { open_weights(path); });
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

// A stand-in for Python shows its arguments as the shell hands them over.
TEST_F(WeightsFileTest, TheCommandThatConvertsRunsAsItIs) {
  folder_.write("it's $HOME.pt", "PK\x03\x04");
  const fs::path path = folder_ / "it's $HOME.pt";
  const std::string message = refusal([&] { open_weights(path); });
  const std::string command = message.substr(message.find("python3 "));
  const Finished shown = run_program({"/bin/sh", "-c", "python3() { printf '%s\\n' \"$@\"; }\n" + command});
  EXPECT_THAT(shown.out, HasSubstr("torch_to_safetensors.py\n" + path.string() + "\n-o\n" +
                                   (folder_ / "it's $HOME.safetensors").string() + "\n"));
  const std::string script = shown.out.substr(0, shown.out.find('\n'));
  EXPECT_TRUE(fs::exists(source_folder() / script)) << script;
}

}  // namespace
}  // namespace bertprep::test
