// GPT-2's blocks of WikiText, against the output of Mistral's own functions and three tokenizers.
#include <gtest/gtest.h>

#include "bertprep/token/text_encoder.h"
#include "instance/token_rows.h"
#include "io/digest.h"
#include "io/json.h"
#include "pipeline/sequences/sequences.h"
#include "shard/hdf5/hdf5_input.h"
#include "shard/id_type.h"
#include "source/formats/text_source.h"
#include "support/golden_data.h"
#include "support/temp_folder.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;

using Ids = std::vector<TokenId>;

Ids ids_in(const fs::path& file) {
  const Hdf5InputFile input(file);
  const Hdf5InputDataset dataset(input, "input_ids");
  Ids ids(dataset.shape()[0] * dataset.shape()[1]);
  const std::vector<std::size_t> first(2, 0);
  dataset.read(first, dataset.shape(), {.bytes = 4}, std::as_writable_bytes(std::span(ids)));
  return ids;
}

// Digests of the goldens are over all ids, without lengths.
std::string digest_of(std::span<const TokenId> ids) {
  std::string bytes;
  append_ids(ids, IdType::kInt32, bytes);
  return sha256_of(bytes);
}

bool is_blank(const std::string& line) {
  return line.find_first_not_of(' ') == std::string::npos;
}

Ids ids_of(const Json& list) {
  Ids ids;
  for (const Json& id : list.items()) ids.push_back(static_cast<TokenId>(id.as_unsigned()));
  return ids;
}

class CausalGolden : public GoldenTest {
 protected:
  struct Made {
    SequenceCounts counts;
    Ids ids;
  };

  fs::path causal() const { return shared() / "goldens" / "outputs" / "causal"; }
  fs::path wikitext(const std::string& name) const { return shared() / "corpora" / "wikitext" / (name + ".txt"); }
  std::string gpt2() const { return (shared() / "models" / "bpe" / "gpt2").string(); }

  // The blocks of `input`, with three threads. Blocks of one token give all ids.
  Made make(const fs::path& input, SequenceOptions options) {
    options.format = SequenceFormat::kHdf5;
    PipelineOptions pipeline;
    pipeline.vocabulary = gpt2();
    pipeline.work.threads = 3;
    Progress silent;
    const fs::path folder = temp_ / std::to_string(++sets_);
    const SequenceReport report =
        make_sequences({.inputs = {input}, .name = "c", .folder = folder, .options = options}, pipeline, silent);
    return {report.splits.at("train"), ids_in(folder / "c_training_0.hdf5")};
  }

  static SequenceOptions lines(std::int64_t blocks, Detokenization detokenize, std::int64_t group = 0) {
    return {.blocks = blocks, .group_articles = group, .source = SequenceSource::kLines, .detokenize = detokenize};
  }

  void expect_blocks(const Made& made, const Json& golden, std::size_t length) {
    EXPECT_EQ(made.counts.sequences, golden.at("rows").as_unsigned());
    EXPECT_EQ(made.counts.dropped, golden.at("lost_tokens").as_unsigned());
    EXPECT_EQ(digest_of(made.ids), golden.at("sha256").text());
    const Ids last = ids_of(golden.at("last_row"));
    const auto begin = made.ids.end() - static_cast<std::ptrdiff_t>(length);
    EXPECT_TRUE(std::equal(last.begin(), last.end(), begin));
  }

  TempFolder temp_;
  int sets_ = 0;
};

TEST_F(CausalGolden, DetokenizesAsMistral) {
  std::size_t count = 0;
  for (const std::string& line : read_lines(causal() / "detokenize.jsonl")) {
    const Json pair = Json::parse(line, "golden");
    std::string row = pair.items()[0].text();
    detokenize_wikitext(row);
    EXPECT_EQ(row, pair.items()[1].text()) << pair.items()[0].text();
    ++count;
  }
  EXPECT_EQ(count, 1000U);
}

TEST_F(CausalGolden, CutsGroupsAsMistral) {
  for (const std::string& line : read_lines(causal() / "grouping.jsonl")) {
    const Json golden = Json::parse(line, "golden");
    const auto number = [&](std::size_t i) { return golden.items()[i].as_unsigned(); };
    Ids stream(number(0));
    for (std::size_t i = 0; i < stream.size(); ++i) stream[i] = static_cast<TokenId>(i);
    TokenBlocks maker(
        {.tokens = number(1), .end_of_article = {}, .stride = number(2), .keeps_rest = !golden.items()[3].as_bool()});
    std::vector<Ids> blocks, wanted;
    const auto take = [&](std::span<const TokenId> block) { blocks.emplace_back(block.begin(), block.end()); };
    maker.add(stream, take);
    maker.finish(take);
    for (const Json& block : golden.items()[4].items()) wanted.push_back(ids_of(block));
    EXPECT_EQ(blocks, wanted) << line;
  }
}

TEST_F(CausalGolden, RowsOfWikitext) {
  const Json golden = Json::parse(read_bytes(causal() / "wikitext.json"), "golden");
  for (const std::string name : {"wt2-valid", "wt2-raw-valid"}) {
    const Json& wanted = golden.at(name);
    const Made all = make(wikitext(name), lines(1, Detokenization::kWikitext));
    EXPECT_EQ(all.counts.articles, wanted.at("rows").as_unsigned());
    EXPECT_EQ(all.counts.tokens, wanted.at("tokens").as_unsigned());
    EXPECT_EQ(digest_of(all.ids), wanted.at("ids_of_detokenized_lines_sha256").text());
    const Made raw = make(wikitext(name), lines(1, Detokenization::kNone));
    EXPECT_EQ(raw.counts.tokens, wanted.at("tokens_of_undetokenized").as_unsigned());
    EXPECT_EQ(digest_of(raw.ids), wanted.at("ids_of_undetokenized_lines_sha256").text());

    std::string text;
    for (const std::string& line : read_lines(wikitext(name))) {
      std::string row = is_blank(line) ? std::string() : line + "\n";
      detokenize_wikitext(row);
      text += row;
    }
    EXPECT_EQ(text.size(), wanted.at("detokenized_bytes").as_unsigned());
    EXPECT_EQ(sha256_of(text), wanted.at("detokenized_sha256").text());
    if (name != "wt2-valid") continue;
    EXPECT_EQ(text, read_bytes(causal() / "wt2-valid.detokenized.txt"));
  }
}

TEST_F(CausalGolden, BlocksOfWikitext) {
  const Json golden = Json::parse(read_bytes(causal() / "wikitext.json"), "golden");
  for (const std::string name : {"wt2-valid", "wt2-raw-valid"}) {
    for (const std::int64_t length : {128, 1024}) {
      const Json& wanted = golden.at(name).at("blocks_" + std::to_string(length));
      const auto size = static_cast<std::size_t>(length);
      const Made groups = make(wikitext(name), lines(length, Detokenization::kWikitext, 1000));
      expect_blocks(groups, wanted.at("groups_of_1000"), size);
      expect_blocks(make(wikitext(name), lines(length, Detokenization::kWikitext)), wanted.at("one_group"), size);
      if (name != "wt2-valid" || length != 1024) continue;
      std::string bytes;
      append_ids(groups.ids, IdType::kUint16, bytes);
      EXPECT_EQ(bytes, read_bytes(causal() / "wt2-valid.blocks-1024.u16"));
    }
  }
}

TEST_F(CausalGolden, BlocksOfArticles) {
  const Json golden = Json::parse(read_bytes(causal() / "wikitext.json"), "golden").at("formatted-documents");
  const fs::path formatted = goldens() / "A_wikitext2" / "wikitext-2_one_article_per_line.txt";
  for (const std::int64_t length : {128, 1024}) {
    const Made made = make(formatted, {.preset = SequencePreset::kGpt2, .blocks = length});
    EXPECT_EQ(made.counts.articles, golden.at("documents").as_unsigned());
    EXPECT_EQ(made.counts.tokens + made.counts.dropped, golden.at("tokens_with_eod").as_unsigned());
    expect_blocks(made, golden.at("blocks_" + std::to_string(length)), static_cast<std::size_t>(length));
  }
}

TEST_F(CausalGolden, TokensOfEveryLine) {
  const Json golden = Json::parse(read_bytes(causal() / "wikitext.json"), "golden").at("wt2-valid").at("plain_lines");
  const Json lengths = Json::parse(read_bytes(causal() / "wt2-valid.tokens-per-line.json"), "golden");
  TextEncoder encoder = TextEncoder::open(gpt2(), {});
  Ids ids, rows;
  std::size_t number = 0;
  for (const std::string& line : read_lines(wikitext("wt2-valid"))) {
    ASSERT_EQ(encoder.encode(line, ids), lengths.at("plain_lines").items()[number].as_unsigned()) << number;
    std::string row = is_blank(line) ? std::string() : line + "\n";
    detokenize_wikitext(row);
    ASSERT_EQ(encoder.encode(row, rows), lengths.at("detokenized_rows").items()[number].as_unsigned()) << number;
    ++number;
  }
  EXPECT_EQ(ids.size(), golden.at("tokens").as_unsigned());
  EXPECT_EQ(digest_of(ids), golden.at("ids_sha256").text());
}

}  // namespace
}  // namespace bertprep::test
