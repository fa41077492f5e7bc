// Files of torch.save, which tests/fuzz/make_torch_files.py made.
#include "trainer/weights/torch_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <clocale>
#include <cstring>
#include <functional>

#include "bertprep/base/error.h"
#include "support/golden_data.h"
#include "support/temp_folder.h"
#include "trainer/weights/state_dict.h"

namespace bertprep::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string file_bytes(const std::string& name) {
  return read_bytes(source_folder() / "tests" / "fuzz" / "corpus" / "torch_file" / name);
}

std::string message(const std::function<void()>& call) {
  try {
    call();
  } catch (const FormatError& error) {
    return error.what();
  }
  return "nothing thrown";
}

std::string refusal(const std::string& name) {
  const std::string bytes = file_bytes(name);
  return message([&] { parse_torch_file(bytes, name); });
}

template <class Value>
std::vector<Value> values_of(const TensorView& view) {
  std::vector<Value> values(view.bytes.size() / sizeof(Value));
  if (!values.empty()) std::memcpy(values.data(), view.bytes.data(), view.bytes.size());
  return values;
}

bool lies_within(const TensorView& view, const std::string& bytes) {
  const auto whole = std::as_bytes(std::span(bytes));
  return view.bytes.data() >= whole.data() && view.bytes.data() + view.bytes.size() <= whole.data() + whole.size();
}

class StateDictTest : public testing::TestWithParam<const char*> {
 protected:
  std::vector<float> floats(const std::string& name) { return values_of<float>(weights_->tensor(name)); }
  std::vector<std::int64_t> shape(const std::string& name) { return weights_->tensor(name).shape; }

  std::string bytes_ = file_bytes(GetParam());
  std::unique_ptr<WeightsFile> weights_ = parse_torch_file(bytes_, "FILE");
};

INSTANTIATE_TEST_SUITE_P(Formats, StateDictTest, testing::Values("state.pt", "state.bin", "protocol4.pt"));

TEST_P(StateDictTest, HasEveryType) {
  EXPECT_THAT(floats("f32"), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(shape("f32"), ElementsAre(2, 3));
  EXPECT_EQ(weights_->tensor("f32").dtype, "F32");
  EXPECT_THAT(values_of<std::uint16_t>(weights_->tensor("f16")), ElementsAre(0x3c00, 0xc000, 0x3800));
  EXPECT_EQ(weights_->tensor("f16").dtype, "F16");
  EXPECT_THAT(values_of<std::uint16_t>(weights_->tensor("bf16")), ElementsAre(0x3f80, 0xc000, 0x3f00));
  EXPECT_EQ(weights_->tensor("bf16").dtype, "BF16");
  EXPECT_THAT(values_of<double>(weights_->tensor("f64")), ElementsAre(1, -2, 0.5));
  EXPECT_EQ(weights_->tensor("f64").dtype, "F64");
  EXPECT_THAT(values_of<std::int64_t>(weights_->tensor("i64")), ElementsAre(3, -4));
}

TEST_P(StateDictTest, HasEveryLayout) {
  EXPECT_THAT(floats("transposed"), ElementsAre(0, 3, 1, 4, 2, 5));
  EXPECT_THAT(shape("transposed"), ElementsAre(3, 2));
  EXPECT_THAT(floats("every_second"), ElementsAre(2, 4, 6));
  EXPECT_THAT(floats("last"), ElementsAre(7, 8, 9));
  EXPECT_THAT(floats("tied"), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(floats("parameter"), ElementsAre(7, 8));
  EXPECT_THAT(floats("scalar"), ElementsAre(5));
  EXPECT_THAT(shape("scalar"), IsEmpty());
  EXPECT_THAT(floats("empty"), IsEmpty());
  EXPECT_THAT(shape("empty"), ElementsAre(0, 3));
}

TEST_P(StateDictTest, LeavesValuesInTheFile) {
  EXPECT_TRUE(lies_within(weights_->tensor("f32"), bytes_));
  EXPECT_TRUE(lies_within(weights_->tensor("last"), bytes_));
  EXPECT_EQ(weights_->tensor("f32").bytes.data(), weights_->tensor("tied").bytes.data());
  EXPECT_FALSE(lies_within(weights_->tensor("transposed"), bytes_));
}

TEST_P(StateDictTest, SaysWhatIsNoTensor) {
  EXPECT_EQ(weights_->names().size(), 16U);
  EXPECT_THAT(message([&] { floats("number"); }),
              HasSubstr("FILE: 'number' is no tensor that can be read, but a plain"));
  EXPECT_THAT(message([&] { floats("sparse"); }), HasSubstr("torch._utils._rebuild_sparse_tensor"));
  EXPECT_THAT(message([&] { floats("complex"); }), HasSubstr("'complex' is no tensor that can be read"));
  EXPECT_THAT(message([&] { floats("expanded"); }), HasSubstr("'expanded' lies outside of its storage"));
  EXPECT_THAT(message([&] { floats("other"); }), HasSubstr("lacks the tensor 'other'"));
}

class CheckpointTest : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Formats, CheckpointTest, testing::Values("ckpt.pt", "ckpt.bin"));

TEST_P(CheckpointTest, ModelIsFoundAmongOtherThings) {
  const std::string bytes = file_bytes(GetParam());
  const auto weights = parse_torch_file(bytes, "FILE");
  EXPECT_THAT(weights->names(), ElementsAre("weight"));
  EXPECT_THAT(values_of<float>(weights->tensor("weight")), ElementsAre(1, 2));
}

TEST(TorchWeightsTest, BigEndianValuesAreTurned) {
  const std::string bytes = file_bytes("big_endian.pt");
  const auto weights = parse_torch_file(bytes, "FILE");
  EXPECT_THAT(values_of<float>(weights->tensor("a")), ElementsAre(1, -2));
  EXPECT_THAT(values_of<std::int16_t>(weights->tensor("b")), ElementsAre(3));
}

TEST(TorchWeightsTest, TensorsOfDevicesAreArraysInThePickle) {
  for (const char* name : {"device.pt", "device4.pt"}) {
    const std::string bytes = file_bytes(name);
    const auto weights = parse_torch_file(bytes, "FILE");
    EXPECT_THAT(values_of<float>(weights->tensor("f32")), ElementsAre(1, -130, 0.5, 3));
    EXPECT_THAT(weights->tensor("f32").shape, ElementsAre(2, 2));
    EXPECT_THAT(values_of<std::uint16_t>(weights->tensor("f16")), ElementsAre(0x3c00, 0xd810, 0x3800, 0x4200));
    EXPECT_EQ(weights->tensor("f16").dtype, "F16");
    EXPECT_THAT(values_of<float>(weights->tensor("cpu")), ElementsAre(1));
    EXPECT_THAT(message([&] { weights->tensor("columns"); }), HasSubstr("'columns' is no tensor that can be read"));
    EXPECT_THAT(message([&] { weights->tensor("big"); }), HasSubstr("_rebuild_device_tensor_from_numpy"));
  }
}

TEST(TorchWeightsTest, ArraysHaveAsManyValuesAsTheirShapeSays) {
  for (const char* name : {"device", "device4"}) {
    std::string pickle = read_bytes(source_folder() / "tests" / "fuzz" / "corpus" / "pickle" / name);
    const std::size_t shape = pickle.find("K\x02K\x02\x86");
    ASSERT_NE(shape, std::string::npos);
    for (const char length : {'\x02', '\x01', '\x03'}) {
      pickle[shape + 3] = length;
      const PickleTree tree = parse_pickle(pickle, "FILE");
      const StateDict dict = find_state_dict(tree, "FILE");
      ASSERT_TRUE(dict.entries.at(0).array);
      std::vector<std::byte> decoded;
      EXPECT_THAT(message([&] { array_values("f32", *dict.entries.at(0).array, decoded, "FILE"); }),
                  HasSubstr(length == '\x02' ? "nothing thrown" : "'f32' has more or fewer values"));
    }
  }
}

TEST(TorchWeightsTest, StoragesWereViewsOnce) {
  const std::string bytes = file_bytes("old_views.bin");
  const auto weights = parse_torch_file(bytes, "FILE");
  EXPECT_THAT(values_of<float>(weights->tensor("whole")), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(values_of<float>(weights->tensor("part")), ElementsAre(5, 6));
}

TEST(TorchWeightsTest, FolderInTheArchiveHasAnyName) {
  ASSERT_STREQ(std::setlocale(LC_CTYPE, nullptr), "C");
  const std::string bytes = file_bytes("other_root.pt");
  EXPECT_THAT(parse_torch_file(bytes, "FILE")->names(), ElementsAre("a"));
}

TEST(TorchWeightsTest, RefusesOtherFiles) {
  EXPECT_THAT(refusal("module.pt"), HasSubstr("holds torch.nn.modules.linear.Linear, no state dict"));
  EXPECT_THAT(refusal("no_model.pt"), HasSubstr("no_model.pt: holds no state dict, but 'epoch', 'optimizer'; save"));
  EXPECT_THAT(refusal("deflated.pt"), HasSubstr("deflated.pt:data.pkl: is compressed"));
  EXPECT_THAT(refusal("program.pt"), HasSubstr("TorchScript"));
  EXPECT_THAT(refusal("no_pickle.zip"), HasSubstr("is a zip file, but none of torch.save"));
  EXPECT_THAT(refusal("plain_pickle.pkl"), HasSubstr("is a pickle, but none of torch.save"));
}

TEST(TorchWeightsTest, RefusesStoragesThatAreNotThere) {
  for (const auto& [name, fault] :
       {std::pair("no_storage.pt", "lacks the storage '0' of the tensor 'a'"),
        std::pair("short_storage.pt", "'a' lies outside of its storage '0', which has 1 ")}) {
    const std::string bytes = file_bytes(name);
    const auto weights = parse_torch_file(bytes, name);
    EXPECT_THAT(message([&] { weights->tensor("a"); }), HasSubstr(fault));
  }
}

// All values, so that what is missing shows.
void read_all(const std::string& bytes) {
  const auto weights = parse_torch_file(bytes, "FILE");
  for (const std::string& name : weights->names()) weights->tensor(name);
}

TEST(TorchWeightsTest, RefusesEveryPartOfAFile) {
  for (const char* name : {"ckpt.pt", "ckpt.bin", "old_views.bin", "other_root.pt"}) {
    const std::string whole = file_bytes(name);
    EXPECT_NO_THROW(read_all(whole));
    for (std::size_t size = 0; size < whole.size(); ++size) {
      EXPECT_THROW(read_all(whole.substr(0, size)), FormatError) << name << " cut to " << size;
    }
  }
}

TEST(TorchWeightsTest, NoDamagedByteDoesHarm) {
  for (const char* name : {"state.bin", "ckpt.bin", "state.pt", "ckpt.pt"}) {
    const std::string whole = file_bytes(name);
    for (std::size_t at = 0; at < whole.size(); ++at) {
      std::string damaged = whole;
      for (const char flip : {'\x01', '\x80', '\xff'}) {
        damaged[at] = static_cast<char>(whole[at] ^ flip);
        try {
          read_all(damaged);
        } catch (const FormatError&) {
        }
      }
    }
  }
}

TEST(TorchWeightsTest, DamagedValuesInAnArchiveAreRefused) {
  std::string bytes = file_bytes("other_root.pt");
  const std::string ones("\x00\x00\x80\x3f\x00\x00\x80\x3f", 8);
  const std::size_t at = bytes.find(ones);
  ASSERT_NE(at, std::string::npos);
  bytes[at] = '\x01';
  EXPECT_THAT(message([&] { read_all(bytes); }), HasSubstr("FILE:data/0"));
}

class FindWeightsTest : public testing::Test {
 protected:
  std::string found() const { return find_weights(folder_.path()).filename().string(); }
  TempFolder folder_;
};

TEST_F(FindWeightsTest, TakesTheBestOfAFolder) {
  EXPECT_THROW(find_weights(folder_.path()), ConfigError);
  folder_.write("ckpt_9.pt", "");
  folder_.write("ckpt_10.pt", "");
  folder_.write("ckpt_x.pt", "");
  EXPECT_EQ(found(), "ckpt_10.pt");
  folder_.write("pytorch_model.bin", "");
  EXPECT_EQ(found(), "pytorch_model.bin");
  folder_.write("checkpoint_3.safetensors", "");
  EXPECT_EQ(found(), "checkpoint_3.safetensors");
  folder_.write("model.safetensors", "");
  EXPECT_EQ(found(), "model.safetensors");
  EXPECT_EQ(find_weights(folder_ / "ckpt_9.pt"), folder_ / "ckpt_9.pt");
}

TEST_F(FindWeightsTest, TakesTheLatestOfDeepSpeed) {
  folder_.write("10/mp_rank_00_model_states.pt", "");
  EXPECT_EQ(find_weights(folder_ / "10"), folder_ / "10/mp_rank_00_model_states.pt");
  EXPECT_THROW(found(), ConfigError);
  for (const char* latest : {"9", "", "..", "../x", "10/."}) {
    folder_.write("latest", latest);
    EXPECT_THROW(found(), ConfigError) << latest;
  }
  folder_.write("latest", "10\n");
  EXPECT_EQ(find_weights(folder_.path()), folder_ / "10/mp_rank_00_model_states.pt");
}

TEST_F(FindWeightsTest, ModelInSeveralFilesIsRefused) {
  folder_.write("pytorch_model.bin.index.json", "{}");
  try {
    found();
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("several files"));
  }
}

TEST_F(FindWeightsTest, FormatIsToldByTheFirstBytes) {
  EXPECT_EQ(open_weights(folder_.write("x", file_bytes("ckpt.pt")))->names().size(), 1U);
  EXPECT_EQ(open_weights(folder_.write("y", file_bytes("ckpt.bin")))->names().size(), 1U);
  write_safetensors(folder_ / "z", {{"a", "U8", {0}, {}}}, {});
  EXPECT_THAT(open_weights(folder_ / "z")->names(), ElementsAre("a"));
  const auto path = folder_.write("w", "no weights at all");
  EXPECT_THAT(message([&] { open_weights(path); }), HasSubstr("neither"));
}

}  // namespace
}  // namespace bertprep::test
