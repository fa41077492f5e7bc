// Odd inputs: the reference's results, and a clear error if the reference fails.
#include <gtest/gtest.h>

#include "bertprep/base/error.h"
#include "bertprep/shard/shard_reader.h"
#include "golden/pipeline/reference_run.h"
#include "golden/pipeline/shard_table.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;
using Rows = std::vector<std::vector<std::string>>;

Rows read_rows(const fs::path& path) {
  Rows rows;
  for (const std::string& line : read_lines(path)) rows.push_back(split_tabs(line));
  rows.erase(rows.begin());
  return rows;
}

class OddTextShards : public ReferenceRun {
 protected:
  // Columns: input, seq, pred, seed, rc, exception, instances, the digests of six datasets.
  Rows rows() const { return read_rows(goldens() / "odd" / "odd_create.tsv"); }
  static bool is_refused(const std::vector<std::string>& cells) { return cells[4] != "0"; }
  fs::path text_shard(const std::string& input) const {
    return goldens() / "odd" / "inputs" / "create" / (input + ".txt");
  }
};

const std::vector<std::string> kDatasets = {"input_ids",           "input_mask",    "segment_ids",
                                            "masked_lm_positions", "masked_lm_ids", "next_sentence_labels"};

void expect_row(const fs::path& shard, const std::vector<std::string>& cells) {
  const std::vector<DatasetDigest> digests = digest_datasets(shard);
  ASSERT_EQ(digests.size(), kDatasets.size()) << shard;
  for (const DatasetDigest& digest : digests) {
    const auto column = std::find(kDatasets.begin(), kDatasets.end(), digest.name) - kDatasets.begin();
    EXPECT_EQ(std::to_string(digest.shape[0]), cells[6]) << shard << ' ' << digest.name;
    EXPECT_EQ(digest.sha256, cells.at(7 + static_cast<std::size_t>(column))) << shard << ' ' << digest.name;
  }
}

TEST_F(OddTextShards, GiveTheInstancesOfTheReference) {
  std::set<fs::path> inputs;
  std::size_t compared = 0;
  for (const auto& cells : rows()) {
    if (!is_refused(cells)) inputs.insert(text_shard(cells[0]));
  }
  instances({inputs.begin(), inputs.end()}, reference_options());
  for (const auto& cells : rows()) {
    if (is_refused(cells)) continue;
    expect_row(root() / cells[1] / (cells[0] + ".hdf5"), cells);
    ++compared;
  }
  EXPECT_EQ(compared, 124U);
}

TEST_F(OddTextShards, AreRefusedWhereTheReferenceFails) {
  std::set<std::string> inputs;
  for (const auto& cells : rows()) {
    if (is_refused(cells)) inputs.insert(cells[0]);
  }
  EXPECT_EQ(inputs.size(), 5U);
  for (const std::string& input : inputs) {
    EXPECT_THROW(instances({text_shard(input)}, reference_options()), FormatError) << input;
    EXPECT_EQ(results_below(root()), std::set<std::string>()) << input;
  }
}

struct OddCase {
  ShardingOptions sharding;
  bool is_refused = false;
  std::map<std::string, std::string> sha256;
};

class OddArticles : public ReferenceRun {
 protected:
  // Columns: input, n_train, n_test, fraction, rc, exception, shard, lines, bytes, sha256.
  std::map<std::string, OddCase> cases() const {
    std::map<std::string, OddCase> all;
    for (const auto& cells : read_rows(goldens() / "odd" / "odd_shard.tsv")) {
      OddCase& odd = all[cells[0]];
      odd.sharding = {std::stoll(cells[1]), std::stoll(cells[2]), std::stod(cells[3])};
      odd.is_refused = cells[4] != "0";
      if (!odd.is_refused) odd.sha256["odd_" + cells[6]] = cells[9];
    }
    return all;
  }

  void shard_input(const std::string& input, const ShardingOptions& sharding) const {
    PipelineOptions options = reference_options();
    options.corpus.name = "odd";
    options.sharding = sharding;
    shard({goldens() / "odd" / "inputs" / "articles" / (input + ".txt")}, options, root() / input);
  }
};

TEST_F(OddArticles, GiveTheTextShardsOfTheReference) {
  std::size_t compared = 0;
  for (const auto& [input, odd] : cases()) {
    if (odd.is_refused) continue;
    SCOPED_TRACE(input);
    shard_input(input, odd.sharding);
    expect_files(root() / input, odd.sha256);
    ++compared;
  }
  EXPECT_EQ(compared, 25U);
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const FormatError& error) {
    return error.what();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

TEST_F(OddArticles, AreRefusedWhereTheReferenceFails) {
  std::size_t refused = 0;
  for (const auto& [input, odd] : cases()) {
    if (!odd.is_refused) continue;
    EXPECT_NE(refusal([&, &name = input, &sharding = odd.sharding] { shard_input(name, sharding); }), "") << input;
    EXPECT_EQ(results_below(root() / input), std::set<std::string>()) << input;
    ++refused;
  }
  EXPECT_EQ(refused, 4U);
}

}  // namespace
}  // namespace bertprep::test
