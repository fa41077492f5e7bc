// Sets A and B of the goldens: a corpus from one article per line to the shards of both phases.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "bertprep/token/vocab.h"
#include "golden/pipeline/reference_run.h"
#include "golden/pipeline/shard_table.h"
#include "golden/shard/dataset_storage.h"
#include "io/digest.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/text_shards/tokenize_shard.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;

struct GoldenSet {
  const char* name;
  const char* folder;
  const char* articles;
  ShardingOptions sharding;
  const char* random_seed;
  std::int64_t dupe_factor;
  const char* text_shards;  // of the reference: a folder, or a list in sha256sum's format
};

const GoldenSet kSetA{"A",
                      "A_wikitext2",
                      "wikitext-2_one_article_per_line.txt",
                      {.train_shards = 8, .test_shards = 4, .test_fraction = 0.1},
                      "12345",
                      5,
                      "sharded_training_shards_8_test_shards_4_fraction_0.1/wikitext-2"};
const GoldenSet kSetB{"B",
                      "B_detok",
                      "detok.txt",
                      {.train_shards = 5, .test_shards = 2, .test_fraction = 0.1},
                      "42",
                      2,
                      "sharded_5_2_0.1.sha256"};

std::map<std::string, std::string> read_sha256_list(const fs::path& path) {
  std::map<std::string, std::string> digests;
  std::ifstream file(path);
  for (std::string digest, name; file >> digest >> name;) digests[name] = digest;
  return digests;
}

std::map<std::string, std::string> text_shard_digests(const fs::path& golden) {
  if (fs::is_regular_file(golden)) return read_sha256_list(golden);
  std::map<std::string, std::string> digests;
  for (const std::string& name : results_below(golden)) digests[name] = sha256_of_file(golden / name);
  return digests;
}

class ReferenceSet : public ReferenceRun, public testing::WithParamInterface<GoldenSet> {
 protected:
  fs::path set_folder() const { return goldens() / GetParam().folder; }
  fs::path work() const { return temp_ / "work"; }

  void run(const std::string& layout) {
    PipelineOptions options = reference_options();
    options.sharding = GetParam().sharding;
    options.instances.random_seed = GetParam().random_seed;
    options.instances.dupe_factor = GetParam().dupe_factor;
    options.layout.chunks = layout == "rows" ? ChunkLayout::kRows : ChunkLayout::kReference;
    const std::vector<fs::path> inputs = {set_folder() / GetParam().articles};
    Progress silent;
    build(std::vector<CorpusPart>{{inputs, {.format = InputFormat::kArticles}}}, {root(), work()}, options, silent);
  }
};

TEST_P(ReferenceSet, HasTheTextAndTheValuesOfTheReference) {
  run("rows");
  const auto text_shards = text_shard_digests(set_folder() / GetParam().text_shards);
  ASSERT_EQ(text_shards.size(),
            static_cast<std::size_t>(GetParam().sharding.train_shards + GetParam().sharding.test_shards));
  expect_files(work() /
                   ("sharded_training_shards_" + std::to_string(GetParam().sharding.train_shards) + "_test_shards_" +
                    std::to_string(GetParam().sharding.test_shards) + "_fraction_0.1") /
                   "wikitext-2",
               text_shards);
  const ShardTable golden = read_shard_table(set_folder() / "hdf5_hashes.tsv");
  ASSERT_EQ(golden.size(), 2 * text_shards.size());
  expect_shards(root(), golden);
}

// Columns: file, dataset, type, shape, maxshape, chunks, filters, storage, attributes, fill, allocation, times.
std::vector<std::string> layout_row(const fs::path& root, const std::string& file, const std::string& dataset) {
  const DatasetStorage s = storage_of(root / file, dataset);
  return {file,      dataset,         s.type,       s.shape,     s.max_shape,  s.chunks,
          s.filters, s.storage_bytes, s.attributes, s.fill_time, s.alloc_time, s.track_times};
}

TEST_P(ReferenceSet, IsStoredAsTheReferenceStoresIt) {
  run("reference");
  const ShardTable hashes = read_shard_table(set_folder() / "hdf5_hashes.tsv");
  expect_shards(root(), hashes);
  const ShardTable golden = read_shard_table(set_folder() / "hdf5_layout.tsv");
  ASSERT_EQ(golden.size(), hashes.size());
  for (const auto& [file, datasets] : golden) {
    EXPECT_EQ(datasets.size(), 6U);
    for (const auto& [dataset, cells] : datasets) EXPECT_EQ(layout_row(root(), file, dataset), cells);
    if (has_reference_hdf5()) {
      EXPECT_EQ(sha256_of_file(root() / file), hashes.at(file).at("*file*")[4]) << file;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Goldens, ReferenceSet, testing::Values(kSetA, kSetB),
                         [](const auto& set) { return set.param.name; });

// The digest of stages.tsv: all ids as 32-bit numbers, -1 after each sentence, -2 after each document.
std::string token_digest(const TokenizedDocuments& documents) {
  std::vector<std::int32_t> numbers;
  std::uint64_t sentence = 0;
  for (std::size_t d = 0; d < documents.documents(); ++d) {
    for (; sentence < documents.document_begin[d + 1]; ++sentence) {
      const auto first = static_cast<std::ptrdiff_t>(documents.sentence_begin[sentence]);
      const auto last = static_cast<std::ptrdiff_t>(documents.sentence_begin[sentence + 1]);
      numbers.insert(numbers.end(), documents.ids.begin() + first, documents.ids.begin() + last);
      numbers.push_back(-1);
    }
    numbers.push_back(-2);
  }
  Sha256 sha256;
  sha256.update(std::as_bytes(std::span(numbers)));
  return sha256.finish();
}

struct Stages : ReferenceRun {
  fs::path text_folder() const { return goldens() / kSetA.folder / kSetA.text_shards; }
  // Columns: shard, docs, sentences, tokens, digest of the tokens, outputs drawn for phase 1, for phase 2.
  std::vector<std::vector<std::string>> rows() const {
    std::vector<std::vector<std::string>> rows;
    for (const std::string& line : read_lines(goldens() / kSetA.folder / "stages.tsv"))
      rows.push_back(split_tabs(line));
    rows.erase(rows.begin());
    return rows;
  }
};

TEST_F(Stages, TokensAreThoseOfTheReference) {
  const Vocab vocab = Vocab::load(reference_options().vocabulary);
  Tokenizer tokenizer(vocab, {});
  ASSERT_EQ(rows().size(), 12U);
  for (const auto& cells : rows()) {
    const TokenizedDocuments documents = tokenize_text_shard(read_bytes(text_folder() / cells[0]), cells[0], tokenizer);
    EXPECT_EQ(std::to_string(documents.documents()), cells[1]) << cells[0];
    EXPECT_EQ(std::to_string(documents.sentences()), cells[2]) << cells[0];
    EXPECT_EQ(std::to_string(documents.tokens()), cells[3]) << cells[0];
    EXPECT_EQ(token_digest(documents), cells[4]) << cells[0];
  }
}

TEST_F(Stages, RecordsCountWhatTheReferenceCounts) {
  std::vector<fs::path> text_shards;
  for (const auto& cells : rows()) text_shards.push_back(text_folder() / cells[0]);
  instances(text_shards, reference_options());
  const OutputFolder phase1(root() / "128"), phase2(root() / "512");
  for (const auto& cells : rows()) {
    const std::string task = fs::path(cells[0]).stem();
    const Json first = phase1.record(task)->counts;
    const Json second = phase2.record(task)->counts;
    for (const Json& counts : {first, second}) {
      EXPECT_EQ(counts.at("documents").text(), cells[1]) << task;
      EXPECT_EQ(counts.at("sentences").text(), cells[2]) << task;
      EXPECT_EQ(counts.at("tokens").text(), cells[3]) << task;
    }
    EXPECT_EQ(first.at("random_draws").text(), cells[5]) << task;
    EXPECT_EQ(second.at("random_draws").text(), cells[6]) << task;
  }
}

}  // namespace
}  // namespace bertprep::test
