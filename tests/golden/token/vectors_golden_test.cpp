// The Python reference's results for hard texts, and for every code point.
#include "bertprep/token/tokenizer.h"
#include "io/digest.h"
#include "support/golden_data.h"
#include "support/json_lines.h"
#include "twins/tokenizer.h"
#include "unicode/code_points.h"

namespace bertprep {
namespace {

class Vectors : public test::GoldenTest {
 protected:
  std::vector<test::JsonValue> rows(const std::string& name) const {
    return test::read_json_lines(goldens() / "vectors" / name);
  }

  void expect_pieces(const std::string& rows_name, const std::string& vocab_name, bool lower_case) {
    const Vocab vocab = Vocab::load(shared() / "models" / "vocab" / vocab_name);
    const TokenizerOptions options{.lower_case = lower_case};
    Tokenizer tokenizer(vocab, options);
    const auto vectors = rows(rows_name);
    ASSERT_FALSE(vectors.empty());
    for (const auto& row : vectors) {
      ASSERT_EQ(test::pieces(vocab, test::encode(tokenizer, row[0].text)), row[1].texts()) << row[0].text;
      ASSERT_EQ(test::pieces(vocab, test::plain_encode(vocab, options, row[0].text)), row[1].texts()) << row[0].text;
    }
  }
};

TEST_F(Vectors, Uncased) {
  expect_pieces("tokens_uncased.jsonl", "bert-large-uncased-vocab.txt", true);
}
TEST_F(Vectors, LowerCaseWithACasedVocabulary) {
  expect_pieces("tokens_cased_vocab_lowered.jsonl", "bert-large-cased-vocab.txt", true);
}
TEST_F(Vectors, Cased) {
  expect_pieces("tokens_cased_nolower.jsonl", "bert-large-cased-vocab.txt", false);
}

TEST_F(Vectors, BasicTokens) {
  const auto vectors = rows("basic_tokens.jsonl");
  ASSERT_FALSE(vectors.empty());
  for (const auto& row : vectors) {
    ASSERT_EQ(basic_tokens(row[0].text, {.lower_case = true}), row[1].texts()) << row[0].text;
    ASSERT_EQ(basic_tokens(row[0].text, {.lower_case = false}), row[2].texts()) << row[0].text;
  }
}

std::string joined(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : "\x1f") + word;
  return line + "\n";
}

// Each character alone, between two cased letters, and between an Alpha and a Sigma, in blocks of 4096.
std::string digest_of_block(char32_t first, bool lower_case) {
  std::string lines;
  for (char32_t c = first; c < first + 4096; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    for (const std::u32string& text :
         {std::u32string{c}, std::u32string{U'a', c, U'B'}, std::u32string{U'\u0391', c, U'\u03A3'}}) {
      lines += joined(basic_tokens(unicode::encode(text), {.lower_case = lower_case}));
    }
  }
  return sha256_of(lines);
}

TEST_F(Vectors, EveryCodePoint) {
  int blocks = 0;
  for (const std::string& line : test::read_lines(goldens() / "vectors" / "codepoints.tsv")) {
    if (line.starts_with('#') || line.starts_with("block")) continue;
    const auto cells = test::split_tabs(line);
    const auto first = static_cast<char32_t>(std::stoul(cells[0], nullptr, 16));
    ASSERT_EQ(digest_of_block(first, true), cells[1]) << "block " << cells[0];
    ASSERT_EQ(digest_of_block(first, false), cells[2]) << "block " << cells[0];
    ++blocks;
  }
  EXPECT_EQ(blocks, 272);
}

}  // namespace
}  // namespace bertprep
