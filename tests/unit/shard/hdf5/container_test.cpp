// Files written by us, read by us and by the library.
#include "shard/hdf5/container.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "bertprep/shard/shard_reader.h"
#include "shard/deflate/chunk_encoder.h"
#include "shard/hdf5/dataset_stream.h"
#include "support/golden_data.h"
#include "support/temp_folder.h"
#include "unit/shard/shard_rows.h"

namespace bertprep {
namespace {

constexpr unsigned kDeflateLevel = 4;

// Every row is a separate chunk.
ShardPlan plan_of_single_rows(const ShardShape& shape) {
  ShardPlan plan = plan_rows_layout(shape);
  for (DatasetPlan& dataset : plan) dataset.chunk[0] = 1;
  return plan;
}

template <class T>
void store_rows(const DatasetPlan& plan, std::size_t dataset, const std::vector<T>& values, ChunkStore& store) {
  std::unique_ptr<ChunkEncoder> encoder;
  if (sizeof(T) == 1) encoder = std::make_unique<Int8ChunkEncoder>();
  if (sizeof(T) == 4) encoder = std::make_unique<Int32ChunkEncoder>();
  const auto bytes = std::as_bytes(std::span(values));
  for (std::size_t row = 0; row < plan.shape[0]; ++row) {
    const std::array<std::size_t, 2> offset{row, 0};
    store.store(dataset, std::span(offset).first(plan.shape.size()),
                encoder->encode(bytes.subspan(row * plan.row_bytes(), plan.row_bytes()), plan.columns()));
  }
}

void write_single_rows(const std::filesystem::path& path, const ShardShape& shape, const Batch& rows) {
  const ShardPlan plan = plan_of_single_rows(shape);
  std::vector<std::byte> buffer;
  const auto store = store_in_container(path, plan, kDeflateLevel, buffer);
  store_rows(plan[0], 0, rows.input_ids, *store);
  store_rows(plan[1], 1, rows.input_mask, *store);
  store_rows(plan[2], 2, rows.segment_ids, *store);
  store_rows(plan[3], 3, rows.masked_lm_positions, *store);
  store_rows(plan[4], 4, rows.masked_lm_ids, *store);
  store_rows(plan[5], 5, rows.next_sentence_labels, *store);
  store->finish();
}

// With a byte more, a file is not ours, and the library reads it.
Batch read_by_library(const std::filesystem::path& path) {
  std::ofstream(path, std::ios::app) << '\0';
  InputFile file(path);
  EXPECT_FALSE(read_container(file));
  return test::read_shard(path);
}

// 1024 chunks fill a node; one more makes a level above it.
TEST(Container, IndexesAnyNumberOfChunks) {
  const test::TempFolder temp;
  for (const std::size_t rows : {1U, 2U, 3U, 64U, 1023U, 1024U, 1025U, 2048U, 2500U}) {
    const ShardShape shape{rows, 8, 2};
    const Batch batch = test::arbitrary_rows(shape, 3);
    write_single_rows(temp / "a.hdf5", shape, batch);
    EXPECT_TRUE(test::same_rows(test::read_shard(temp / "a.hdf5"), batch)) << rows;
    EXPECT_TRUE(test::same_rows(read_by_library(temp / "a.hdf5"), batch)) << rows;
  }
}

TEST(ContainerReader, KnowsEveryFileOfOurs) {
  const test::TempFolder temp;
  for (const std::size_t rows : {0U, 1U, 1025U, 2500U}) {
    const ShardShape shape{rows, 8, 2};
    write_single_rows(temp / "a.hdf5", shape, test::arbitrary_rows(shape, 3));
    InputFile file(temp / "a.hdf5");
    const auto shard = read_container(file);
    ASSERT_TRUE(shard) << rows;
    EXPECT_EQ(shard->plan[0].shape, (std::vector<std::size_t>{rows, 8}));
    for (const auto& chunks : shard->chunks) EXPECT_EQ(chunks.size(), rows);
    EXPECT_EQ(shard->find(0, rows, 0), nullptr);
  }
}

// Each byte around the chunks: of the front, and of the back.
TEST(ContainerReader, LeavesWhatDiffersInOneByteToTheLibrary) {
  const test::TempFolder temp;
  const ShardShape shape{5, 8, 2};
  write_single_rows(temp / "a.hdf5", shape, test::arbitrary_rows(shape, 3));
  const std::string whole = test::read_bytes(temp / "a.hdf5");
  InputFile file(temp / "a.hdf5");
  const auto shard = read_container(file);
  ASSERT_TRUE(shard);
  std::uint64_t chunks_end = 0;
  for (const auto& chunks : shard->chunks) {
    for (const StoredChunk& chunk : chunks) chunks_end = std::max(chunks_end, chunk.address + chunk.size_bytes);
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    if (at >= Container::kFrontBytes && at < (chunks_end + 7) / 8 * 8) continue;
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 1 << at % 8);
    InputFile changed(temp.write("damaged.hdf5", damaged));
    EXPECT_FALSE(read_container(changed)) << at;
  }
}

TEST(ContainerReader, LeavesTheReferencesLayoutToTheLibrary) {
  const test::TempFolder temp;
  const ShardShape shape{5, 8, 2};
  test::write_shard(temp / "a.hdf5", shape, test::arbitrary_rows(shape, 3), "reference");
  InputFile file(temp / "a.hdf5");
  EXPECT_FALSE(read_container(file));
  EXPECT_TRUE(test::same_rows(test::read_shard(temp / "a.hdf5"), test::arbitrary_rows(shape, 3)));
}

TEST(Container, FindsEveryChunkOfADeepIndex) {
  const test::TempFolder temp;
  const ShardShape shape{2500, 8, 2};
  const Batch batch = test::arbitrary_rows(shape, 4);
  write_single_rows(temp / "a.hdf5", shape, batch);
  ShardReader reader(temp / "a.hdf5");
  for (const std::size_t row : {2499U, 0U, 1023U, 1024U, 2047U, 2048U, 77U}) {
    Batch one;
    reader.read(row, 1, one);
    EXPECT_TRUE(test::same_rows(one, test::slice(batch, shape, row, 1))) << row;
  }
}

TEST(Container, TakesLittleRoomInSmallShards) {
  const test::TempFolder temp;
  const ShardShape shape{1, 128, 20};
  test::write_shard(temp / "a.hdf5", shape, test::valid_rows(shape, 1));
  EXPECT_LE(std::filesystem::file_size(temp / "a.hdf5"), 5000U);
}

TEST(ChunkIndex, IsOneNodeWhereThatSuffices) {
  EXPECT_EQ(index_half_entries(0), 1U);
  EXPECT_EQ(index_half_entries(3), 2U);
  EXPECT_EQ(index_half_entries(1024), 512U);
  EXPECT_EQ(index_half_entries(1000000), 512U);
}

TEST(ChunkIndex, IsNowhereWithoutChunks) {
  LittleEndianBytes out;
  EXPECT_EQ(append_chunk_index({}, plan_rows_layout({0, 128, 20})[0], 1, 0, out), kNoAddress);
  EXPECT_EQ(out.size(), 0U);
}

}  // namespace
}  // namespace bertprep
