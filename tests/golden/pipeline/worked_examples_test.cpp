// The worked examples of docs/formats, read from the pages and executed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>

#include "base/random.h"
#include "bertprep/instance/instance_set.h"
#include "bertprep/text/sentences.h"
#include "bertprep/token/vocab.h"
#include "pipeline/text_shards/tokenize_shard.h"
#include "support/golden_data.h"
#include "support/temp_folder.h"

namespace bertprep::test {
namespace {

using Lines = std::vector<std::string>;

Lines page(const std::string& name) {
  return read_lines(source_folder() / "docs" / "formats" / name);
}

// The first fenced block after the line that begins with `mark`.
std::string block_after(const Lines& page, const std::string& mark) {
  std::size_t i = 0;
  while (!page.at(i).starts_with(mark)) ++i;
  while (!page.at(i).starts_with("```")) ++i;
  std::string text;
  for (++i; !page.at(i).starts_with("```"); ++i) text += page[i] + '\n';
  return text;
}

// Rows of tables, without the blanks and back quotes around their cells.
std::vector<Lines> table_rows(const Lines& page, std::size_t columns) {
  const std::regex separator(" *\\| *");
  std::vector<Lines> rows;
  for (const std::string& line : page) {
    if (!line.starts_with("| ")) continue;
    const std::string inner = std::regex_replace(line, std::regex("^\\| *| *\\|$"), "");
    Lines cells(std::sregex_token_iterator(inner.begin(), inner.end(), separator, -1), std::sregex_token_iterator());
    if (cells.size() == columns) rows.push_back(cells);
  }
  return rows;
}

std::vector<std::uint64_t> numbers_in(const std::string& text) {
  const std::regex number("[0-9]+");
  std::vector<std::uint64_t> numbers;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), number); it != std::sregex_iterator(); ++it) {
    numbers.push_back(std::stoull(it->str()));
  }
  return numbers;
}

std::string without_quotes(std::string text) {
  std::erase(text, '`');
  return text;
}

// ---- punkt.md

class PunktPage : public testing::Test {
 protected:
  PunktPage() {
    for (const char* name : {"abbrev_types.txt", "collocations.tab", "sent_starters.txt", "ortho_context.tab"}) {
      folder_.write(name, block_after(page_, '`' + std::string(name) + '`'));
    }
  }

  std::string sentences() const {
    const auto text = std::find_if(page_.begin(), page_.end(), [](auto& line) { return line.starts_with("> "); });
    const auto splitter = make_sentence_splitter({.rules = SentenceRules::kPunkt, .punkt = folder_.path().string()});
    std::vector<std::string_view> found;
    splitter->split(std::string_view(*text).substr(2), found);
    std::string lines;
    for (const std::string_view sentence : found) lines += std::string(sentence) + '\n';
    return lines;
  }

  const Lines page_ = page("punkt.md");
  const std::string expected_ = block_after(page_, "> ");
  TempFolder folder_;
};

std::string replaced(std::string text, const std::string& part, const std::string& by) {
  return text.replace(text.find(part), part.size(), by);
}

TEST_F(PunktPage, SplitsAsThePageSays) {
  EXPECT_EQ(sentences(), expected_);
}

TEST_F(PunktPage, WithoutAbbreviations) {
  folder_.write("abbrev_types.txt", "");
  EXPECT_TRUE(sentences().starts_with("Dr.\nIto "));
}

TEST_F(PunktPage, WithoutCollocations) {
  folder_.write("collocations.tab", "");
  EXPECT_EQ(sentences(), replaced(expected_, "2. Bundesliga", "2.\nBundesliga"));
}

TEST_F(PunktPage, WithoutSentenceStarters) {
  folder_.write("sent_starters.txt", "");
  EXPECT_EQ(sentences(), replaced(expected_, "U.S.\nBut", "U.S. But"));
}

TEST_F(PunktPage, WithoutOrthographicContexts) {
  folder_.write("ortho_context.tab", "nothing\t0\n");  // an empty file is refused
  EXPECT_EQ(sentences(), replaced(expected_, "p.m.\nIt", "p.m. It"));
}

// ---- randomness.md

class RandomnessPage : public testing::Test {
 protected:
  const Lines page_ = page("randomness.md");
};

// The vocabulary is in back quotes, with blanks between pieces.
std::string vocabulary_of(const Lines& page) {
  for (const std::string& line : page) {
    const std::size_t begin = line.find("`[PAD] ");
    if (begin == std::string::npos) continue;
    const std::string pieces = line.substr(begin + 1, line.find('`', begin + 1) - begin - 1);
    return std::regex_replace(pieces, std::regex(" "), "\n") + '\n';
  }
  throw std::runtime_error("the page has no vocabulary");
}

struct Example {
  explicit Example(const Lines& page)
      : vocab(Vocab::parse(vocabulary_of(page), "vocabulary")),
        tokenizer(vocab, {}),
        documents(tokenize_text_shard(block_after(page, "## Example"), "example", tokenizer)),
        set(documents, {vocab.cls(), vocab.sep(), vocab.mask(), vocab.ids()}, kOptions),
        ids(12 * set.rows()),
        positions(2 * set.rows()),
        masked_ids(2 * set.rows()),
        mask(ids.size()),
        segments(ids.size()),
        labels(set.rows()) {
    Batch batch;
    set.copy_rows(0, set.rows(), batch);
    ids = batch.input_ids;
    mask = batch.input_mask;
    segments = batch.segment_ids;
    positions = batch.masked_lm_positions;
    masked_ids = batch.masked_lm_ids;
    labels = batch.next_sentence_labels;
  }

  std::string piece(std::int32_t id) const { return std::string(vocab.piece(static_cast<TokenId>(id))); }

  // A row as the page's table shows it: number, tokens, label, masked.
  Lines row(std::size_t i) const {
    Lines cells(4);
    cells[0] = std::to_string(i);
    for (std::size_t k = 12 * i; k < 12 * (i + 1) && mask[k] == 1; ++k) {
      cells[1] += (cells[1].empty() ? "" : " ") + piece(ids[k]);
    }
    cells[2] = std::to_string(labels[i]);
    for (std::size_t k = 2 * i; k < 2 * (i + 1); ++k) {
      cells[3] += (cells[3].empty() ? "" : ", ") + std::to_string(positions[k]) + ' ' + piece(masked_ids[k]);
    }
    return cells;
  }

  static inline const InstanceOptions kOptions{.seq_len = 12, .max_predictions = 2, .dupe_factor = 1};
  Vocab vocab;
  Tokenizer tokenizer;
  TokenizedDocuments documents;
  InstanceSet set;
  std::vector<std::int32_t> ids, positions, masked_ids;
  std::vector<std::int8_t> mask, segments, labels;
};

TEST_F(RandomnessPage, InstancesAreThoseOfTheTable) {
  const Example example(page_);
  EXPECT_EQ(example.vocab.size(), 18U);
  std::vector<Lines> rows;
  for (Lines cells : table_rows(page_, 4)) {
    if (cells[1].find("[CLS]") == std::string::npos) continue;
    for (std::string& cell : cells) cell = without_quotes(cell);
    rows.push_back(cells);
  }
  ASSERT_EQ(rows.size(), 3U);
  ASSERT_EQ(example.set.rows(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(example.row(i), rows[i]);
}

// The lines of the table of draws: outputs before, draw, value.
std::vector<Lines> draw_lines(const Lines& page) {
  const std::regex line("^ *([0-9]+) {2,}((?:below|real)\\(.*?) {2,}([0-9. ]+?) {2,}.*$");
  std::vector<Lines> lines;
  std::smatch parts;
  for (const std::string& text : page) {
    if (std::regex_match(text, parts, line)) lines.push_back({parts[1], parts[2], parts[3]});
  }
  return lines;
}

// The bounds of "below(8) … below(2)" (8 to 2) and of "below(3), below(2)".
std::vector<std::uint64_t> bounds_of(const std::string& draw) {
  std::vector<std::uint64_t> bounds = numbers_in(draw);
  if (draw.find("…") == std::string::npos) return bounds;
  const std::uint64_t first = bounds.at(0), last = bounds.at(1);
  bounds.clear();
  for (std::uint64_t n = first; n >= last; --n) bounds.push_back(n);
  return bounds;
}

TEST_F(RandomnessPage, DrawsAreThoseOfTheTable) {
  Random random("12345");
  std::size_t draws = 0;
  for (const Lines& cells : draw_lines(page_)) {
    const std::string& draw = cells[1];
    EXPECT_EQ(std::to_string(random.draws()), cells[0]) << draw;
    if (draw == "real()") {
      EXPECT_NEAR(random.real(), std::stod(cells[2]), 5.1e-7) << cells[0];
    } else {
      std::vector<std::uint64_t> values;
      for (const std::uint64_t n : bounds_of(draw)) values.push_back(random.below(static_cast<std::uint32_t>(n)));
      EXPECT_EQ(values, numbers_in(cells[2])) << cells[0];
    }
    ++draws;
  }
  EXPECT_EQ(draws, 25U);
  EXPECT_EQ(random.draws(), 84U);
  EXPECT_EQ(Example(page_).set.random_draws(), 84U);
}

TEST_F(RandomnessPage, FirstOutputsAreThoseOfTheTable) {
  std::size_t seeds = 0;
  for (const Lines& cells : table_rows(page_, 3)) {
    const std::vector<std::uint64_t> outputs = numbers_in(cells[2]);
    if (cells[0].find_first_not_of("0123456789") == 0 || outputs.size() != 4) continue;
    Random random(cells[0].substr(0, cells[0].find_first_not_of("0123456789")));
    for (const std::uint64_t output : outputs) EXPECT_EQ(random.next_u32(), output) << cells[0];
    ++seeds;
  }
  EXPECT_EQ(seeds, 3U);
}

}  // namespace
}  // namespace bertprep::test
