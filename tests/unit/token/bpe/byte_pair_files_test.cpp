#include "token/bpe/byte_pair_files.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/json.h"
#include "support/temp_folder.h"
#include "support/thrown.h"

namespace bertprep {
namespace {

using testing::HasSubstr;

class BytePairFiles : public testing::Test {
 protected:
  void SetUp() override {
    Json json = Json::object();
    std::uint64_t id = 0;
    for (const std::string& letter : byte_letters()) json.add(letter, Json::number(id++));
    vocab_ = json.add("ab", Json::number(id)).dump();
    tokenizer_ =
        "{\"version\": \"1.0\", \"pre_tokenizer\": {\"type\": \"ByteLevel\"}, \"model\": {\"type\": \"BPE\", "
        "\"vocab\": " +
        vocab_ + ", \"merges\": []}}";
  }

  std::string error_of(const std::filesystem::path& path) {
    return test::thrown_by([&] { read_byte_pairs(path); });
  }

  test::TempFolder folder_;
  std::string vocab_, tokenizer_;
};

TEST_F(BytePairFiles, FromEitherOfTheTwoAndFromTheirFolder) {
  folder_.write("gpt/vocab.json", vocab_);
  folder_.write("gpt/merges.txt", "a b\n");
  for (const char* path : {"gpt", "gpt/", "gpt/vocab.json", "gpt/merges.txt"}) {
    const BytePairModel model = read_byte_pairs(folder_ / path);
    EXPECT_EQ(model.merges.size(), 1U) << path;
    EXPECT_EQ(model.sha256, sha256_of(vocab_ + "a b\n")) << path;
    EXPECT_TRUE(model.tokenizer_json.empty());
    EXPECT_FALSE(model.name.empty()) << path;
  }
  folder_.write("gpt/tokenizer_config.json", "{\"add_prefix_space\": true, \"eos_token\": \"ab\"}");
  const BytePairModel model = read_byte_pairs(folder_ / "gpt");
  EXPECT_TRUE(model.add_prefix_space);
  EXPECT_EQ(model.specials.eod, 256);
}

TEST_F(BytePairFiles, ATokenizerComesBeforeTheTwo) {
  folder_.write("t/vocab.json", vocab_);
  folder_.write("t/merges.txt", "a b\n");
  folder_.write("t/tokenizer.json", tokenizer_);
  EXPECT_EQ(read_byte_pairs(folder_ / "t").merges.size(), 0U);
  folder_.write("other-name.json", tokenizer_);
  const BytePairModel model = read_byte_pairs(folder_ / "other-name.json");
  EXPECT_EQ(model.tokenizer_json, tokenizer_);
  EXPECT_EQ(model.sha256, sha256_of(tokenizer_));
  EXPECT_EQ(model.name, "other-name.json");
}

// GPT-2's vocabulary has a token "model".
TEST_F(BytePairFiles, AVocabularyMayHaveTheWordsOfATokenizer) {
  const std::string comma = vocab_.substr(0, vocab_.rfind('}')) + ", \"model\": 257, \"added_tokens\": 258}";
  folder_.write("w/vocab.json", comma);
  folder_.write("w/merges.txt", "a b\n");
  EXPECT_EQ(read_byte_pairs(folder_ / "w/vocab.json").tokens.at(257), "model");
}

TEST_F(BytePairFiles, SaysWhatATokenizerLacks) {
  folder_.write("t/tokenizer.json", R"({"version": "1.0", "truncation": null})");
  for (const char* path : {"t", "t/tokenizer.json"}) {
    EXPECT_THAT(error_of(folder_ / path), HasSubstr("t/tokenizer.json: has no \"model\", which holds the tokens and "))
        << path;
  }
}

TEST_F(BytePairFiles, APipeIsNotWaitedFor) {
  const auto pipe = folder_ / "pipe.json";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(error_of(pipe), HasSubstr("pipe.json: is not a file"));
  EXPECT_THAT(error_of("/dev/zero"), HasSubstr("/dev/zero: is not a file"));
}

TEST_F(BytePairFiles, NamesMissingFiles) {
  folder_.write("v/vocab.json", vocab_);
  EXPECT_THAT(error_of(folder_ / "v"), HasSubstr("v/merges.txt: no such file; vocab.json and merges.txt must be"));
  folder_.write("m/merges.txt", "a b\n");
  EXPECT_THAT(error_of(folder_ / "m/merges.txt"), HasSubstr("m/vocab.json: no such file"));
  folder_.write("w/vocab.txt", "[PAD]\n");
  EXPECT_THAT(error_of(folder_ / "w"), HasSubstr("give the vocab.txt in it"));
  folder_.write("bad.json", "{\"a\": \"\xff\"}");
  EXPECT_THAT(error_of(folder_ / "bad.json"), HasSubstr("invalid UTF-8"));
  EXPECT_THAT(error_of(folder_ / "absent.json"), HasSubstr("absent.json"));
}

}  // namespace
}  // namespace bertprep
