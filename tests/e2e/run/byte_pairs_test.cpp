// Byte-level BPE tokenizers as the vocabulary of commands.
#include <filesystem>

#include "e2e/e2e_test.h"
#include "support/golden_data.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class BytePairsTest : public E2eTest {
 protected:
  static std::string tokenizer() { return (source_folder() / "samples" / "byte-pairs").string(); }
};

TEST_F(BytePairsTest, TokenizePrintsTokensOrIds) {
  const RunOptions input{.input = "The keeper\n\n  of\n"};
  EXPECT_EQ(succeed({"tokenize", "--vocab", tokenizer()}, input).out, "T he \u0120keep er\n\n\u0120 \u0120of\n");
  EXPECT_EQ(succeed({"tokenize", "--vocab", tokenizer() + "/vocab.json", "--ids"}, input).out,
            "51 258 881 263\n\n220 275\n");
}

TEST_F(BytePairsTest, ControlTokensAreTextUnlessRequested) {
  const RunOptions input{.input = "a<|endoftext|>\n"};
  const auto ids = [&](const Arguments& more) {
    return succeed(Arguments{"tokenize", "--ids", "--vocab", tokenizer() + "/merges.txt"} + more, input).out;
  };
  EXPECT_EQ(ids({"--special-in-text", "control"}), "64 999\n");
  EXPECT_EQ(ids({}).find("999"), std::string::npos);
}

TEST_F(BytePairsTest, OptionsOfTheOtherKindAreRefused) {
  fail(2, {"tokenize", "--vocab", tokenizer(), "--no-lower-case"},
       {"--lower-case has no effect", "'byte-pairs' is a byte-level BPE tokenizer"});
  fail(2, {"tokenize", "--vocab", vocab(), "--special-in-text", "control"},
       {"--special-in-text has no effect", "is a WordPiece vocabulary"});
}

TEST_F(BytePairsTest, RowsForBertNeedWordPieces) {
  const std::string text = folder().write("t.txt", "One.\nTwo.\n");
  const std::vector<std::string> words = {"is a byte-level BPE tokenizer", "needs a WordPiece vocabulary",
                                          "'bertprep tokenize' take this tokenizer"};
  fail(2, {"instances", text, "--vocab", tokenizer(), "-o", path("rows")}, words);
  fail(2, {"run", "--input", text, "--vocab", tokenizer() + "/vocab.json", "-o", path("root")}, words);
  EXPECT_FALSE(std::filesystem::exists(path("rows")));
}

TEST_F(BytePairsTest, VocabCheckNamesTheKind) {
  EXPECT_THAT(succeed({"vocab", "check", tokenizer()}).out,
              StartsWith(tokenizer() + ": valid, byte-level BPE, 1000 tokens (743 merges, 1 added), eod 999\nsha256 "));
  EXPECT_THAT(succeed({"vocab", "check", tokenizer(), "--json"}).out,
              HasSubstr("\"pieces\":1000,\"merges\":743,\"added\":1,\"eod\":999,\"sha256\":\""));
  const std::string odd = folder().write("odd.json", "{\"version\": \"1.0\", \"model\": {\"type\": \"Unigram\"}}");
  fail(1, {"vocab", "check", odd}, {"odd.json", "asks for a model of type 'Unigram', which is not supported"});
}

TEST_F(BytePairsTest, VocabExportMakesAFolderThatIsReadAgain) {
  succeed({"vocab", "export", path("hf"), "--vocab", tokenizer(), "--max-tokens", "1024"});
  const RunOptions input{.input = "The keeper, don't\n"};
  EXPECT_EQ(succeed({"tokenize", "--ids", "--vocab", path("hf")}, input).out,
            succeed({"tokenize", "--ids", "--vocab", tokenizer()}, input).out);
  succeed({"vocab", "export", path("hf"), "--to", "huggingface", "--vocab", tokenizer(), "--max-tokens", "1024"});
  fail(1, {"vocab", "export", path("hf"), "--vocab", tokenizer()},
       {"tokenizer_config.json", "exists with other content", "--force"});
  succeed({"vocab", "export", path("hf"), "--vocab", tokenizer(), "--force"});
  EXPECT_THAT(read_bytes(path("hf/tokenizer_config.json")), HasSubstr("\"model_max_length\": 512"));
}

TEST_F(BytePairsTest, VocabExportOfWordPieces) {
  EXPECT_THAT(succeed({"vocab", "export", path("bert"), "--vocab", vocab(), "--json"}).out,
              HasSubstr("{\"event\":\"exported\",\"file\":\"" + path("bert/vocab.txt") + "\"}"));
  EXPECT_EQ(read_bytes(path("bert/vocab.txt")), read_bytes(vocab()));
  const RunOptions input{.input = "The Keepers\n"};
  EXPECT_EQ(succeed({"tokenize", "--vocab", path("bert")}, input).out,
            succeed({"tokenize", "--vocab", vocab()}, input).out);
  fail(2, {"vocab", "export", path("other"), "--vocab", vocab(), "--no-lower-case"}, {"is in lower case"});
  fail(2, {"vocab", "export", path("other"), "--vocab", tokenizer(), "--lower-case"}, {"has no effect"});
}

}  // namespace
}  // namespace bertprep::test
