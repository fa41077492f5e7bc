#include "token/tokenizer_files.h"

#include <gmock/gmock.h>

#include "io/json.h"
#include "support/golden_data.h"
#include "support/temp_folder.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;

std::vector<TokenizerFile> files_of(const std::filesystem::path& path) {
  return huggingface_files(TextEncoder::open(path.string(), {}), {}, 1024);
}

std::vector<std::string> names_of(const std::vector<TokenizerFile>& files) {
  std::vector<std::string> names;
  for (const TokenizerFile& file : files) names.push_back(file.name);
  return names;
}

// The written files are read again as the same tokenizer, whatever its origin.
TEST(BytePairFolder, IsReadAgain) {
  const auto sample = source_folder() / "samples" / "byte-pairs";
  const auto files = files_of(sample);
  EXPECT_THAT(names_of(files), testing::ElementsAre("tokenizer.json", "tokenizer_config.json",
                                                    "special_tokens_map.json", "vocab.json", "merges.txt"));
  const TempFolder folder;
  for (const TokenizerFile& file : files) folder.write(file.name, file.bytes);
  TextEncoder first = TextEncoder::open(sample.string(), {}), second = TextEncoder::open(folder.path().string(), {});
  EXPECT_EQ(first.size(), second.size());
  EXPECT_EQ(first.specials(), second.specials());
  std::vector<TokenId> expected, found;
  const std::string text = read_bytes(source_folder() / "samples" / "sample.wikitext");
  EXPECT_GT(first.encode(text, expected), 1000U);
  second.encode(text, found);
  EXPECT_EQ(found, expected);
  EXPECT_EQ(read_bytes(folder / "merges.txt"), read_bytes(sample / "merges.txt"));
  const auto again = files_of(folder.path());
  EXPECT_THAT(names_of(again),
              testing::ElementsAre("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"));
  for (std::size_t i = 0; i < again.size(); ++i) EXPECT_EQ(again[i].bytes, files[i].bytes) << again[i].name;
}

TEST(BytePairFolder, SaysWhatSpecialTokensAreFor) {
  const auto files = files_of(source_folder() / "samples" / "byte-pairs");
  EXPECT_EQ(files[2].bytes, "{\n  \"eos_token\": \"<|endoftext|>\"\n}\n");
  EXPECT_THAT(files[1].bytes, AllOf(HasSubstr("\"model_max_length\": 1024"), HasSubstr("\"999\": {"),
                                    HasSubstr("\"tokenizer_class\": \"PreTrainedTokenizerFast\"")));
}

class BytePairFolderGolden : public GoldenTest {};

// The golden was made from the same two files.
TEST_F(BytePairFolderGolden, IsTheTokenizerOfGpt2) {
  const auto folder = shared() / "models" / "bpe" / "gpt2";
  const Json golden = Json::parse(read_bytes(folder / "tokenizer.json"), "tokenizer.json");
  EXPECT_EQ(files_of(folder / "vocab.json")[0].bytes, golden.dump());
}

}  // namespace
}  // namespace bertprep::test
