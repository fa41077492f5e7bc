#include "token/tokenizer_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "bertprep/base/error.h"
#include "bertprep/token/text_encoder.h"
#include "support/golden_data.h"
#include "support/temp_folder.h"
#include "support/thrown.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class WordPieceTokenizerTest : public testing::Test {
 protected:
  // Those of the sample and another one, so that the catalogue says nothing of them.
  std::string pieces() const {
    const fs::path known = source_folder() / "vocab" / "sample-uncased-vocab.txt";
    return folder_.write("pieces.txt", read_bytes(known) + "NASA\n").string();
  }

  // The folder that `vocab export` writes for this text.
  std::string exported(const std::string& name, const TokenizerOptions& options) const {
    for (const TokenizerFile& file : huggingface_files(TextEncoder::open(pieces(), {}, options), options, 512)) {
      folder_.write(name + "/" + file.name, file.bytes);
    }
    return (folder_ / name).string();
  }

  static std::string refusal(const std::string& path) {
    return thrown_by<FormatError>([&] { find_wordpiece_files(path); });
  }

  const TempFolder folder_;
};

TEST_F(WordPieceTokenizerTest, GivesTheIdsOfTheVocabulary) {
  const std::string vocab = pieces();
  std::vector<std::string> texts = {"\u00C9mile \u00DCber [MASK] caf\u00e9 \u4E2D\u56FD NASA\u0300!", "[CLS] x [sep]"};
  std::ifstream sample(source_folder() / "samples" / "sample.wikitext");
  for (std::string line; std::getline(sample, line);) texts.push_back(line);
  ASSERT_GT(texts.size(), 50U);
  for (const bool lower_case : {true, false}) {
    for (const auto accents : {AccentStripping::kAuto, AccentStripping::kYes, AccentStripping::kNo}) {
      const TokenizerOptions options{.lower_case = lower_case, .strip_accents = accents};
      const std::string folder = exported("hf", options);
      TextEncoder expected = TextEncoder::open(vocab, {}, options);
      for (const std::string& path : {folder, folder + "/", folder + "/tokenizer.json"}) {
        TextEncoder found = TextEncoder::open(path, {}, options);
        EXPECT_EQ(found.sha256(), expected.sha256()) << path;
        for (const std::string& text : texts) {
          std::vector<TokenId> ids, same;
          expected.encode(text, ids);
          found.encode(text, same);
          EXPECT_EQ(same, ids) << text;
        }
      }
      const SaidText said = find_wordpiece_files(folder)->text;
      EXPECT_EQ(said.lower_case, lower_case);
      EXPECT_EQ(said.strip_accents, accents == AccentStripping::kAuto ? lower_case : accents == AccentStripping::kYes);
    }
  }
}

TEST_F(WordPieceTokenizerTest, ReadsTextAsItsFilesSay) {
  const auto ids_of = [](TextEncoder encoder) {
    std::vector<TokenId> ids;
    encoder.encode("NASA", ids);
    return ids;
  };
  const TokenizerOptions cased{.lower_case = false};
  const std::string folder = exported("hf", cased);
  const auto expected = ids_of(TextEncoder::open(pieces(), {}, cased));
  EXPECT_EQ(ids_of(TextEncoder::open(folder, {})), expected);
  EXPECT_EQ(ids_of(TextEncoder::open(folder, {}, cased)), expected);
  EXPECT_NE(ids_of(TextEncoder::open(pieces(), {})), expected) << "files that say nothing: as the reference";
  EXPECT_THAT(thrown_by<ConfigError>([&] { TextEncoder::open(folder, {}, TokenizerOptions{}); }),
              HasSubstr("is cased (" + folder + "/tokenizer.json), and the text is turned into lower case"));
  fs::remove(folder + "/tokenizer.json");
  EXPECT_EQ(ids_of(TextEncoder::open(folder + "/vocab.txt", {})), expected) << "tokenizer_config.json beside it";
  const std::string known = (source_folder() / "vocab" / "sample-uncased-vocab.txt").string();
  EXPECT_THAT(thrown_by<ConfigError>([&] { TextEncoder::open(known, {}, cased); }), HasSubstr("is in lower case"));
}

TEST_F(WordPieceTokenizerTest, IsToldFromOthers) {
  const std::string folder = exported("hf", {});
  EXPECT_TRUE(is_wordpiece_path(folder));
  EXPECT_TRUE(is_wordpiece_path(folder + "/tokenizer.json"));
  EXPECT_FALSE(is_wordpiece_path(folder + "/vocab.txt")) << "a list of pieces";
  EXPECT_FALSE(is_wordpiece_path(folder + "/tokenizer_config.json"));
  EXPECT_FALSE(is_byte_pair_path(folder));
  EXPECT_FALSE(is_wordpiece_path(source_folder() / "samples" / "byte-pairs"));
  EXPECT_FALSE(is_wordpiece_path(folder_ / "missing"));
  fs::copy(folder + "/vocab.txt", folder_.write("bare/x", "").parent_path());
  EXPECT_TRUE(is_wordpiece_path(folder_ / "bare"));
  EXPECT_EQ(find_wordpiece_files(folder_ / "bare")->text.lower_case, std::nullopt);
  folder_.write("empty/x", "");
  EXPECT_THAT(thrown_by<IoError>([&] { load_vocab((folder_ / "empty").string()); }),
              HasSubstr("Is a directory, without tokenizer.json, vocab.txt, or vocab.json"));
}

TEST_F(WordPieceTokenizerTest, AFolderIsReadAsItsConfigurationSays) {
  const std::string folder = exported("hf", {.lower_case = true, .strip_accents = AccentStripping::kNo});
  fs::remove(folder + "/tokenizer.json");
  const WordPieceFiles files = find_wordpiece_files(folder).value();
  EXPECT_EQ(files.vocab.bytes(), read_bytes(folder + "/vocab.txt"));
  EXPECT_EQ(files.text.lower_case, true);
  EXPECT_EQ(files.text.strip_accents, false);
  EXPECT_EQ(files.text.by, folder + "/tokenizer_config.json");
}

TEST_F(WordPieceTokenizerTest, FilesThatContradictEachOtherAreRefused) {
  const std::string folder = exported("hf", {});
  folder_.write("hf/tokenizer_config.json", "{\"do_lower_case\": false}");
  EXPECT_THAT(refusal(folder),
              HasSubstr("tokenizer_config.json: has do_lower_case false, and " + folder + "/tokenizer.json has true"));
  folder_.write("hf/tokenizer_config.json", "{\"do_lower_case\": true, \"strip_accents\": false}");
  EXPECT_THAT(refusal(folder), HasSubstr("has strip_accents false, and"));
  folder_.write("hf/tokenizer_config.json", "{}");
  EXPECT_EQ(refusal(folder), "nothing thrown");
  std::ofstream(folder + "/vocab.txt", std::ios::app) << "furthermore\n";
  EXPECT_THAT(refusal(folder), HasSubstr("vocab.txt: has other pieces than " + folder + "/tokenizer.json, first at "));
}

}  // namespace
}  // namespace bertprep::test
