// tokenize, sentences and the vocabulary commands.
#include <sstream>

#include "e2e/e2e_test.h"
#include "support/small_punkt.h"

namespace bertprep::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using FiltersTest = E2eTest;

constexpr const char* kPieces = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\nriver\n##s\n.\nThe\n";

TEST_F(FiltersTest, TokenizePrintsPiecesOneLineALine) {
  const std::string vocab = folder().write("pieces.txt", kPieces);
  const RunOptions input{.input = "The rivers.\n\n  \nthe sea"};
  EXPECT_EQ(succeed({"tokenize", "--vocab", vocab}, input).out, "the river ##s .\n\n\nthe [UNK]\n");
  EXPECT_EQ(succeed({"tokenize", "--ids", "--vocab", vocab}, input).out, "5 6 7 8\n\n\n5 1\n");
}

TEST_F(FiltersTest, TokenizeKeepsCaseWhenRequested) {
  const std::string vocab = folder().write("pieces.txt", kPieces);
  const std::string lines = folder().write("lines.txt", "The River the\n");
  EXPECT_EQ(succeed({"tokenize", "--no-lower-case", "--vocab", vocab, lines}).out, "The [UNK] the\n");
}

TEST_F(FiltersTest, TokenizeKeepsAccentsWhenRequested) {
  const std::string vocab = folder().write("pieces.txt", std::string(kPieces) + "caf\u00e9\nCafe\n");
  const RunOptions input{.input = "Caf\u00e9\n"};
  EXPECT_EQ(succeed({"tokenize", "--strip-accents", "no", "--vocab", vocab}, input).out, "caf\u00e9\n");
  EXPECT_EQ(succeed({"tokenize", "--strip-accents", "yes", "--no-lower-case", "--vocab", vocab}, input).out, "Cafe\n");
  EXPECT_EQ(succeed({"tokenize", "--vocab", vocab}, input).out, "[UNK]\n");
}

TEST_F(FiltersTest, SentencesOfEachLineEndWithAnEmptyLine) {
  const RunOptions input{.input = "Dr. Smith came. He sat.\n\nThe end.\n"};
  const SmallPunkt punkt;
  const std::string expected = "Dr. Smith came.\nHe sat.\n\n\nThe end.\n\n";
  EXPECT_EQ(succeed({"sentences", "--punkt", punkt.folder()}, input).out, expected);
  EXPECT_EQ(succeed({"sentences", "--sentences", "icu"}, input).out, expected);
  EXPECT_EQ(succeed({"sentences", "--sentences", "lines"}, input).out, "Dr. Smith came. He sat.\n\n\nThe end.\n\n");
}

TEST_F(FiltersTest, SentencesNeedPunktParameters) {
  fail(2, {"sentences"}, {"--punkt", "--sentences icu"}, {.input = "A line.\n"});
}

TEST_F(FiltersTest, InvalidUtf8IsNamedWithLineAndByte) {
  const RunOptions input{.input = "fine\nnot \xC3\x28\n"};
  const Finished finished = bertprep({"tokenize", "--vocab", vocab()}, input);
  EXPECT_EQ(finished.exit_status, 1);
  EXPECT_THAT(finished.err, HasSubstr("stdin:2: invalid UTF-8 at byte 9"));
}

TEST_F(FiltersTest, FullOutputIsAnError) {
  const Finished finished = bertprep({"tokenize", "--vocab", vocab()}, {.input = "the river\n", .output = "/dev/full"});
  EXPECT_EQ(finished.exit_status, 1);
  EXPECT_THAT(finished.err, HasSubstr("stdout: can't be written"));
}

TEST_F(FiltersTest, VocabListShowsNameCaseAndPlace) {
  const std::string place = folder().write("known/bert-large-cased-vocab.txt", kPieces);
  const std::string out = succeed({"vocab", "list"}, {.environment = {{"BERTPREP_VOCAB_DIR", path("known")}}}).out;
  std::istringstream lines(out);
  bool found = false;
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> cells = split_tabs(line);
    ASSERT_TRUE(cells.size() == 4 || cells.size() == 5) << line;  // the last cell: other names
    if (cells[0] != "bert-large-cased") continue;
    found = true;
    EXPECT_EQ(cells[1], "cased");
    EXPECT_EQ(cells[3], place);
  }
  EXPECT_TRUE(found) << out;
}

TEST_F(FiltersTest, VocabWithAKnownNameButOtherBytesIsRefused) {
  folder().write("known/bert-large-cased-vocab.txt", kPieces);
  fail(1, {"vocab", "check", "bert-large-cased"}, {"is not the vocabulary 'bert-large-cased'", "sha256"},
       {.environment = {{"BERTPREP_VOCAB_DIR", path("known")}}});
}

TEST_F(FiltersTest, VocabCheckCountsPieces) {
  const std::string vocab = folder().write("pieces.txt", kPieces);
  const std::string out = succeed({"vocab", "check", vocab}).out;
  EXPECT_THAT(out, HasSubstr("valid, 10 pieces (1 continue a word), [PAD] 0 [UNK] 1 [CLS] 2 [SEP] 3 [MASK] 4"));
  EXPECT_THAT(out, testing::ContainsRegex("sha256 [0-9a-f]+"));
}

TEST_F(FiltersTest, VocabTrainMakesTheSamePiecesEveryTime) {
  const std::vector<std::string> pieces = read_lines(vocab());
  EXPECT_EQ(pieces.size(), 600U);
  EXPECT_THAT(std::vector(pieces.begin(), pieces.begin() + 5),
              ElementsAre("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"));
  EXPECT_THAT(pieces, testing::Contains("the"));
  succeed({"vocab", "train", sample("sample.wikitext"), "--vocab-size", "600", "-q", "-o", path("again.txt")});
  EXPECT_EQ(read_bytes(path("again.txt")), read_bytes(vocab()));
  std::filesystem::remove_all(path(".bertprep"));
  EXPECT_EQ(names_of(read_tree(folder().path())).size(), 2U);
}

TEST_F(FiltersTest, WithoutASpecialPieceAVocabularyIsRefused) {
  const std::string vocab = folder().write("v.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\n");
  fail(1, {"vocab", "check", vocab}, {"v.txt", "special piece [MASK]"});
  fail(1, {"tokenize", "--vocab", vocab}, {"v.txt", "special piece [MASK]"});
}

TEST_F(FiltersTest, WithADuplicateAVocabularyIsRefused) {
  const std::string vocab = folder().write("v.txt", std::string(kPieces) + "river\n");
  fail(1, {"vocab", "check", vocab}, {"v.txt:11", "duplicate piece 'river'", "line 7"});
}

TEST_F(FiltersTest, UnknownVocabularyIsAnsweredWithTheKnown) {
  fail(1, {"vocab", "check", "bert-huge"}, {"'bert-huge' is neither a file nor a known name", "bert-large-uncased"});
}

}  // namespace
}  // namespace bertprep::test
