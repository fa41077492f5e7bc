// Token sequences of the reference's texts, against the output of other programs.
#include <gtest/gtest.h>

#include "bertprep/token/tokenizer.h"
#include "bertprep/token/vocab.h"
#include "instance/token_rows.h"
#include "io/digest.h"
#include "io/json.h"
#include "pipeline/sequences/sequences.h"
#include "shard/id_type.h"
#include "support/golden_data.h"
#include "support/temp_folder.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;

class SequencesGolden : public GoldenTest {
 protected:
  fs::path outputs() const { return shared() / "goldens" / "outputs"; }
  fs::path formatted() const { return goldens() / "A_wikitext2" / "wikitext-2_one_article_per_line.txt"; }
  std::string vocab() const { return (shared() / "models" / "vocab" / "bert-large-uncased-vocab.txt").string(); }

  void make(const fs::path& input, const SequenceOptions& options, const std::string& folder) {
    PipelineOptions pipeline;
    pipeline.vocabulary = vocab();
    Progress silent;
    make_sequences({.inputs = {input}, .name = "c", .folder = temp_ / folder, .options = options}, pipeline, silent);
  }

  TempFolder temp_;
};

// u32 length and u16 ids of each row.
struct RowDigest {
  Sha256 sha256;
  std::uint64_t rows = 0;
  std::uint64_t tokens = 0;

  void add(std::span<const TokenId> row) {
    std::string bytes;
    append_little_endian(static_cast<std::uint32_t>(row.size()), bytes);
    append_ids(row, IdType::kUint16, bytes);
    sha256.update(bytes);
    ++rows;
    tokens += row.size();
  }
};

TEST_F(SequencesGolden, RowsOfEveryLengthAndRule) {
  const Json golden = Json::parse(read_bytes(outputs() / "sequences" / "wikitext2.json"), "golden");
  const Vocab pieces = Vocab::load(vocab());
  Tokenizer tokenizer(pieces, {});
  std::vector<std::vector<TokenId>> articles;
  for (const std::string& line : read_lines(formatted())) {
    articles.emplace_back();
    tokenizer.encode(line, articles.back());
  }
  for (const std::size_t length : {128, 512, 1024, 8192}) {
    for (const std::string name : {"chunks", "truncate", "chunks_min_16"}) {
      TokenRows rows({.cls = pieces.cls(),
                      .sep = pieces.sep(),
                      .max_tokens = length,
                      .truncates = name == "truncate",
                      .min_tokens = name == "chunks_min_16" ? 16U : 1U});
      RowDigest digest;
      std::uint64_t dropped = 0, all = 0;
      for (const auto& article : articles) {
        all += article.size();
        dropped += rows.add(article, {}, [&](std::span<const TokenId> row) { digest.add(row); });
      }
      const Json& wanted = golden.at(name + "_" + std::to_string(length));
      EXPECT_EQ(digest.rows, wanted.at("rows").as_unsigned()) << name << length;
      EXPECT_EQ(digest.tokens, wanted.at("tokens").as_unsigned()) << name << length;
      EXPECT_EQ(digest.sha256.finish(), wanted.at("sha256").text()) << name << length;
      EXPECT_EQ(digest.tokens - 2 * digest.rows + dropped, all) << name << length;
    }
  }
}

TEST_F(SequencesGolden, TheIndexOfMdsWriter) {
  make(formatted(), {.size_limit = "262144"}, "mds");
  EXPECT_EQ(read_bytes(temp_ / "mds/train/index.json"),
            read_bytes(outputs() / "sequences" / "wikitext2.chunks_1024.mds.index.json"));
}

TEST_F(SequencesGolden, TheSetsOfMegatronsBuilder) {
  const Json golden = Json::parse(read_bytes(outputs() / "megatron" / "text-shard.json"), "golden");
  const fs::path shard = goldens() / "A_wikitext2" / "sharded_training_shards_8_test_shards_4_fraction_0.1" /
                         "wikitext-2" / "wikitext-2_training_0.txt";
  const std::map<std::string, SequenceLevel> levels = {{"sentence", SequenceLevel::kSentence},
                                                       {"document", SequenceLevel::kDocument}};
  for (const auto& [name, level] : levels) {
    make(shard, {.format = SequenceFormat::kMegatron, .max_tokens = 512, .level = level}, name);
    for (const std::string ending : {"bin", "idx"}) {
      EXPECT_EQ(sha256_of(read_bytes(temp_ / (name + "/c_train_text_" + name + "." + ending))),
                golden.at(name + "." + ending).at("sha256").text());
    }
  }
}

}  // namespace
}  // namespace bertprep::test
