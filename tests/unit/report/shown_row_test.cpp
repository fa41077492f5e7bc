#include "report/shown_row.h"

#include <gmock/gmock.h>

#include "io/json.h"
#include "support/temp_folder.h"
#include "token/bpe/byte_pair_model.h"

namespace bertprep::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const Vocab& vocab() {
  static const Vocab kVocab = Vocab::parse("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\ncat\n<script>\n", "vocab.txt");
  return kVocab;
}

using RowValues = std::vector<std::int64_t>;

// [CLS] the [MASK] [SEP] <script> cat [SEP] [PAD]: predicts "cat" for [MASK], "the" for <script>, "cat" for itself.
struct Example {
  RowValues ids{2, 5, 4, 3, 7, 6, 3, 0};
  RowValues mask{1, 1, 1, 1, 1, 1, 1, 0};
  RowValues segments{0, 0, 0, 0, 1, 1, 1, 0};
  RowValues positions{2, 4, 5, 0};
  RowValues originals{6, 5, 6, 0};

  RowView view() const { return {ids, mask, segments, positions, originals, {}, 1}; }
};

TEST(ShownRowTest, KnowsWhatBecameOfEachToken) {
  const ShownRow row = shown_row(Example().view(), &vocab(), {});
  ASSERT_EQ(row.tokens.size(), 7U);
  EXPECT_EQ(row.padding, 1U);
  const std::vector<TokenPart> parts{TokenPart::kSpecial,  TokenPart::kText, TokenPart::kMasked, TokenPart::kSpecial,
                                     TokenPart::kReplaced, TokenPart::kKept, TokenPart::kSpecial};
  for (std::size_t i = 0; i < parts.size(); ++i) EXPECT_EQ(row.tokens[i].part, parts[i]) << i;
  EXPECT_EQ(row.tokens[2].original, "cat");
  EXPECT_EQ(row.tokens[4].piece, "<script>");
  EXPECT_EQ(row.tokens[4].segment, 1);
}

TEST(ShownRowTest, ReadsLabelsOfEachTokenTheSame) {
  const Example example;
  RowValues labels(8, -100);
  labels[2] = 6;
  labels[4] = 5;
  labels[5] = 6;
  const ShownRow by_labels = shown_row({example.ids, example.mask, example.segments, {}, {}, labels, 1}, &vocab(), {});
  const ShownRow by_positions = shown_row(example.view(), &vocab(), {});
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(by_labels.tokens[i].part, by_positions.tokens[i].part);
    EXPECT_EQ(by_labels.tokens[i].original, by_positions.tokens[i].original);
  }
}

TEST(ShownRowTest, ShowsIdsWithoutAVocabulary) {
  const ShownRow row = shown_row(Example().view(), nullptr, 4);
  EXPECT_EQ(row.tokens[2].piece, "4");
  EXPECT_EQ(row.tokens[2].part, TokenPart::kMasked);
  EXPECT_EQ(shown_row(Example().view(), nullptr, {}).tokens[2].part, TokenPart::kReplaced);
}

TEST(ShownRowTest, SurvivesDamagedRows) {
  Example example;
  example.positions = {99, -3, 7, 1};
  example.ids[1] = 1'000'000;
  const ShownRow row = shown_row(example.view(), &vocab(), {});
  EXPECT_EQ(row.tokens[1].piece, "<1000000>");
  EXPECT_EQ(shown_row({}, &vocab(), {}).tokens.size(), 0U);
  EXPECT_EQ(shown_row({example.ids, {}, {}, example.positions, {}, {}, {}}, nullptr, {}).tokens[1].original, "-1");
}

TEST(TokensOfTest, CountsUpToThePadding) {
  const RowValues ids(4, 9);
  for (const auto& [mask, expected] : std::vector<std::pair<RowValues, std::size_t>>{{{1, 1, 1, 1}, 4},
                                                                                     {{1, 1, 0, 0}, 2},
                                                                                     {{0, 0, 0, 0}, 0},
                                                                                     {{1, 0, 1, 0}, 3},
                                                                                     {{0, 0, 1, 1}, 4},
                                                                                     {{0, 1, 1, 1}, 4},
                                                                                     {{2, 5, 0, 0}, 2}}) {
    EXPECT_EQ(tokens_of({ids, mask, {}, {}, {}, {}, {}}), expected);
  }
  EXPECT_EQ(tokens_of({ids, {}, {}, {}, {}, {}, {}}), 4U);
}

TEST(RowHtmlTest, ShowsTokensOfDataAsText) {
  const std::string html = row_html(shown_row(Example().view(), &vocab(), {}), "<file>: row 0");
  EXPECT_THAT(html, Not(HasSubstr("<script>")));
  EXPECT_THAT(html, Not(HasSubstr("<file>")));
  EXPECT_THAT(html, HasSubstr("<span class=\"r\"><i>&lt;script&gt;</i> <b>the</b></span>"));
  EXPECT_THAT(html, HasSubstr("<p class=\"sb\""));
  EXPECT_THAT(html, HasSubstr("next sentence: random (1)"));
  EXPECT_THAT(html, HasSubstr("7 tokens, 1 of padding"));
}

TEST(RowHtmlTest, CutsVeryLongRows) {
  const RowValues ids(5000, 6);
  const std::string html = row_html(shown_row({ids, {}, {}, {}, {}, {}, {}}, &vocab(), {}), "f");
  EXPECT_THAT(html, HasSubstr("… and 3,976 tokens more"));
  EXPECT_LT(html.size(), 10'000U);
}

// A tokenizer of single bytes and an end of text.
TextEncoder bytes_encoder(const TempFolder& folder) {
  Json vocab = Json::object();
  std::uint64_t id = 0;
  for (const std::string& letter : byte_letters()) vocab.add(letter, Json::number(id++));
  vocab.add("<|endoftext|>", Json::number(id));
  folder.write("vocab.json", vocab.dump_line());
  folder.write("merges.txt", "#version: 0.2\n");
  return TextEncoder::open((folder / "vocab.json").string(), {});
}

TEST(TextRowTest, ShowsTheTextThatIdsSpell) {
  const TempFolder folder;
  TextEncoder encoder = bytes_encoder(folder);
  const TokenSpelling spelling = TokenSpelling::of(encoder).value();
  const std::string text = "# <h>\n\n\tna\xC3\xAFve \xE6\x9D\xB1\r\n  end";
  std::vector<TokenId> encoded;
  encoder.encode(text, encoded);
  RowValues ids(encoded.begin(), encoded.end());
  std::string spelled;
  for (const std::int64_t id : ids) spelled += spelling.bytes(id);
  EXPECT_EQ(spelled, text);
  ids.push_back(encoder.specials().eod.value());
  ids.push_back(1'000'000);
  const std::vector<TextRun> runs = text_runs(shown_row({.ids = ids}, spelling), ids.size());
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[0].text, "# <h>\n\n\tna\xC3\xAFve \xE6\x9D\xB1\\r\n  end");
  EXPECT_EQ(runs[1].text, "<|endoftext|>");
  EXPECT_TRUE(runs[1].is_control);
  EXPECT_EQ(runs[2].text, "<1000000>");
  EXPECT_THAT(row_html(shown_row({.ids = ids}, spelling), "f"),
              AllOf(HasSubstr("<pre dir=\"auto\"># &lt;h&gt;\n\n\tna"), HasSubstr("<span class=\"x\">&lt;|endof")));
}

}  // namespace
}  // namespace bertprep::test
