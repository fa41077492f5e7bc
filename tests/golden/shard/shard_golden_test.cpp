// Shards written by the reference (h5py 3.7 over HDF5 1.10.8), read, digested and written again.
#include <algorithm>
#include <map>

#include "base/number_text.h"
#include "bertprep/shard/shard_reader.h"
#include "golden/shard/dataset_storage.h"
#include "io/digest.h"
#include "support/golden_data.h"
#include "support/temp_folder.h"
#include "unit/shard/shard_rows.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// One line of hdf5_hashes.tsv or hdf5_layout.tsv, by file and dataset.
using Table = std::map<std::pair<std::string, std::string>, std::vector<std::string>>;

Table read_table(const fs::path& path) {
  Table table;
  for (const std::string& line : test::read_lines(path)) {
    const auto cells = test::split_tabs(line);
    table[{cells[0], cells[1]}] = cells;
  }
  return table;
}

std::vector<fs::path> shards_below(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".hdf5") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

const std::vector<std::string> kNames = {kInputIds,          kInputMask,   kSegmentIds,
                                         kMaskedLmPositions, kMaskedLmIds, kNextSentenceLabels};

class ShardGolden : public test::GoldenTest {
 protected:
  fs::path folder() const { return goldens() / "A_wikitext2"; }
  fs::path samples() const { return folder() / "hdf5_samples"; }
  std::string key(const fs::path& shard) const { return shard.lexically_relative(samples()).generic_string(); }

  // Rows of `shard` in a new file of this layout.
  fs::path rewritten(const fs::path& shard, const std::string& layout) {
    ShardReader reader(shard);
    const fs::path copy = temp_ / (std::to_string(count_++) + ".hdf5");
    test::write_shard(copy, reader.shape(), test::read_shard(shard), layout);
    return copy;
  }

  test::TempFolder temp_;
  int count_ = 0;
};

TEST_F(ShardGolden, DigestsAreThoseOfTheReference) {
  const Table hashes = read_table(folder() / "hdf5_hashes.tsv");
  const auto shards = shards_below(samples());
  ASSERT_FALSE(shards.empty());
  for (const fs::path& shard : shards) {
    const auto digests = digest_datasets(shard);
    ASSERT_EQ(digests.size(), kNames.size());
    for (const DatasetDigest& digest : digests) {
      const auto& cells = hashes.at({key(shard), digest.name});
      EXPECT_EQ(digest.dtype, cells[2]) << shard << digest.name;
      EXPECT_EQ(shape_text(digest.shape, "x"), cells[3]) << shard << digest.name;
      EXPECT_EQ(digest.sha256, cells[4]) << shard << digest.name;
    }
  }
}

TEST_F(ShardGolden, BothLayoutsHoldTheSameValues) {
  for (const fs::path& shard : shards_below(goldens())) {
    const auto expected = digest_datasets(shard);
    for (const char* layout : {"rows", "reference"}) {
      const auto digests = digest_datasets(rewritten(shard, layout));
      ASSERT_EQ(digests.size(), expected.size());
      for (std::size_t i = 0; i < digests.size(); ++i) {
        EXPECT_EQ(digests[i].name, expected[i].name);
        EXPECT_EQ(digests[i].dtype, expected[i].dtype);
        EXPECT_EQ(digests[i].shape, expected[i].shape);
        EXPECT_EQ(digests[i].sha256, expected[i].sha256) << shard << layout << digests[i].name;
      }
    }
  }
}

TEST_F(ShardGolden, ReferenceLayoutIsStoredAsTheReferenceStoresIt) {
  const Table layouts = read_table(folder() / "hdf5_layout.tsv");
  for (const fs::path& shard : shards_below(samples())) {
    const fs::path copy = rewritten(shard, "reference");
    for (const std::string& name : kNames) {
      const auto& cells = layouts.at({key(shard), name});
      const test::DatasetStorage storage = test::storage_of(copy, name);
      EXPECT_EQ(storage.chunks, cells[5]) << shard << name;
      EXPECT_EQ(storage.filters, cells[6]) << shard << name;
      EXPECT_EQ(storage.storage_bytes, cells[7]) << shard << name;
      EXPECT_EQ(storage.fill_time, cells[9]) << shard << name;
      EXPECT_EQ(storage.alloc_time, cells[10]) << shard << name;
      EXPECT_EQ(storage.track_times, cells[11]) << shard << name;
    }
  }
}

TEST_F(ShardGolden, ReferenceLayoutIsTheReferenceByteForByte) {
  if (!test::has_reference_hdf5()) GTEST_SKIP() << "skipped: the reference's containers are those of HDF5 1.10.8";
  for (const fs::path& shard : shards_below(goldens())) {
    EXPECT_EQ(sha256_of_file(rewritten(shard, "reference")), sha256_of_file(shard)) << shard;
  }
  const Table hashes = read_table(folder() / "hdf5_hashes.tsv");
  for (const fs::path& shard : shards_below(samples())) {
    EXPECT_EQ(sha256_of_file(shard), hashes.at({key(shard), "*file*"})[4]);
  }
}

TEST_F(ShardGolden, RowsLayoutIsSmaller) {
  for (const fs::path& shard : shards_below(samples())) {
    EXPECT_LT(fs::file_size(rewritten(shard, "rows")), fs::file_size(shard)) << shard;
  }
}

// A few dozen rows, some made of the same few sentences.
TEST_F(ShardGolden, RowsLayoutOfTinyShardsIsSmallerToo) {
  for (const fs::path& shard : shards_below(goldens() / "odd")) {
    EXPECT_LT(fs::file_size(rewritten(shard, "rows")), fs::file_size(shard)) << shard;
  }
}

}  // namespace
}  // namespace bertprep
