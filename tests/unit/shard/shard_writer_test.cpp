#include "bertprep/shard/shard_writer.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/fields.h"
#include "bertprep/shard/shard_reader.h"
#include "shard/hdf5/file_digest.h"
#include "support/golden_data.h"
#include "support/temp_folder.h"
#include "unit/shard/shard_rows.h"

namespace bertprep {
namespace {

constexpr const char* kLayouts[] = {"rows", "reference"};

class ShardWriterTest : public testing::Test {
 protected:
  std::string written(const ShardShape& shape, const Batch& rows, const std::string& layout,
                      const std::vector<std::size_t>& batches) {
    const auto path = temp_ / "shard.hdf5";
    ShardWriter writer(path, shape, {.chunks = layout == "rows" ? ChunkLayout::kRows : ChunkLayout::kReference});
    std::size_t row = 0;
    for (std::size_t i = 0; row < shape.rows; ++i) {
      const std::size_t count = std::min(batches[i % batches.size()], shape.rows - row);
      writer.append(test::slice(rows, shape, row, count));
      row += count;
    }
    writer.finish();
    return test::read_bytes(path);
  }

  test::TempFolder temp_;
};

TEST_F(ShardWriterTest, ReadsBackItsRows) {
  for (const std::size_t rows : {0U, 1U, 255U, 256U, 257U, 1000U}) {
    for (const ShardShape shape : {ShardShape{rows, 128, 20}, ShardShape{rows, 512, 80}, ShardShape{rows, 300, 7},
                                   ShardShape{rows, 5, 1}, ShardShape{rows, 8, 13}}) {
      for (const std::string layout : kLayouts) {
        const Batch batch = test::valid_rows(shape, 1);
        test::write_shard(temp_ / "a.hdf5", shape, batch, layout);
        const ShardReader reader(temp_ / "a.hdf5");
        EXPECT_EQ(reader.shape().rows, rows);
        EXPECT_EQ(reader.shape().seq_len, shape.seq_len);
        EXPECT_EQ(reader.shape().max_predictions, shape.max_predictions);
        EXPECT_TRUE(test::same_rows(test::read_shard(temp_ / "a.hdf5"), batch)) << rows << layout;
      }
    }
  }
}

TEST_F(ShardWriterTest, WritesTheSameWithTheMemoryOfAnotherShard) {
  ShardBuffers buffers;
  for (const std::string layout : {"rows", "reference", "rows"}) {
    for (const ShardShape shape : {ShardShape{700, 128, 20}, ShardShape{3, 512, 80}, ShardShape{300, 17, 4}}) {
      const Batch batch = test::arbitrary_rows(shape, 5);
      ShardWriter writer(temp_ / "reused.hdf5", shape,
                         {.chunks = layout == "rows" ? ChunkLayout::kRows : ChunkLayout::kReference}, buffers);
      writer.append(batch);
      writer.finish();
      test::write_shard(temp_ / "fresh.hdf5", shape, batch, layout);
      EXPECT_EQ(test::read_bytes(temp_ / "reused.hdf5"), test::read_bytes(temp_ / "fresh.hdf5")) << layout;
    }
  }
}

TEST_F(ShardWriterTest, KnowsTheDigestOfItsFile) {
  for (const std::string layout : kLayouts) {
    const ShardShape shape{100, 128, 20};
    ShardWriter writer(temp_ / "a.hdf5", shape,
                       {.chunks = layout == "rows" ? ChunkLayout::kRows : ChunkLayout::kReference});
    writer.append(test::valid_rows(shape, 6));
    writer.finish();
    const FileDigest digest = writer.digest();
    EXPECT_EQ(digest.bytes, std::filesystem::file_size(temp_ / "a.hdf5"));
    EXPECT_EQ(digest.sha256, digest_file(temp_ / "a.hdf5").sha256);
  }
}

TEST_F(ShardWriterTest, KeepsAnyValues) {
  for (const std::string layout : kLayouts) {
    const ShardShape shape{600, 33, 4};
    const Batch batch = test::arbitrary_rows(shape, 2);
    test::write_shard(temp_ / "a.hdf5", shape, batch, layout);
    EXPECT_TRUE(test::same_rows(test::read_shard(temp_ / "a.hdf5"), batch));
  }
}

TEST_F(ShardWriterTest, KeepsVocabulariesAbove65536) {
  const ShardShape shape{300, 64, 10};
  const Batch batch = test::valid_rows(shape, 3, 250002);
  test::write_shard(temp_ / "a.hdf5", shape, batch);
  EXPECT_TRUE(test::same_rows(test::read_shard(temp_ / "a.hdf5"), batch));
}

TEST_F(ShardWriterTest, WritesRowsLongerThanAChunk) {
  const ShardShape shape{3, 300000, 2};
  for (const std::string layout : kLayouts) {
    const Batch batch = test::valid_rows(shape, 4);
    test::write_shard(temp_ / "a.hdf5", shape, batch, layout);
    EXPECT_TRUE(test::same_rows(test::read_shard(temp_ / "a.hdf5"), batch));
  }
}

TEST_F(ShardWriterTest, WritesShardsWithoutPredictions) {
  const ShardShape shape{300, 16, 0};
  for (const std::string layout : kLayouts) {
    const Batch batch = test::valid_rows(shape, 5);
    test::write_shard(temp_ / "a.hdf5", shape, batch, layout);
    EXPECT_TRUE(test::same_rows(test::read_shard(temp_ / "a.hdf5"), batch));
  }
}

TEST_F(ShardWriterTest, BytesDoNotDependOnBatches) {
  for (const ShardShape shape : {ShardShape{1000, 128, 20}, ShardShape{1000, 16, 3}}) {
    const Batch rows = test::valid_rows(shape, 6);
    for (const std::string layout : kLayouts) {
      const std::string whole = written(shape, rows, layout, {shape.rows});
      EXPECT_EQ(written(shape, rows, layout, {1}), whole);
      EXPECT_EQ(written(shape, rows, layout, {7, 0, 300}), whole);
      EXPECT_EQ(written(shape, rows, layout, {256}), whole);
      EXPECT_EQ(written(shape, rows, layout, {255, 2}), whole);
    }
  }
}

TEST_F(ShardWriterTest, LayoutsDifferInBytesAlone) {
  const ShardShape shape{700, 128, 20};
  const Batch rows = test::valid_rows(shape, 7);
  test::write_shard(temp_ / "a.hdf5", shape, rows, "rows");
  test::write_shard(temp_ / "b.hdf5", shape, rows, "reference");
  EXPECT_NE(test::read_bytes(temp_ / "a.hdf5"), test::read_bytes(temp_ / "b.hdf5"));
  const auto a = digest_datasets(temp_ / "a.hdf5");
  const auto b = digest_datasets(temp_ / "b.hdf5");
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].sha256, b[i].sha256);
}

TEST_F(ShardWriterTest, ReplacesAnExistingFile) {
  temp_.write("a.hdf5", std::string(100000, 'x'));
  const ShardShape shape{2, 8, 2};
  const Batch rows = test::valid_rows(shape, 8);
  test::write_shard(temp_ / "a.hdf5", shape, rows);
  EXPECT_TRUE(test::same_rows(test::read_shard(temp_ / "a.hdf5"), rows));
}

TEST_F(ShardWriterTest, RefusesMoreRowsThanAnnounced) {
  const ShardShape shape{3, 8, 2};
  const Batch rows = test::valid_rows(shape, 9);
  ShardWriter writer(temp_ / "a.hdf5", shape, {});
  writer.append(rows);
  EXPECT_THROW(writer.append(test::slice(rows, shape, 0, 1)), FormatError);
}

TEST_F(ShardWriterTest, RefusesFewerRowsThanAnnounced) {
  const ShardShape shape{3, 8, 2};
  ShardWriter writer(temp_ / "a.hdf5", shape, {});
  writer.append(test::slice(test::valid_rows(shape, 9), shape, 0, 2));
  EXPECT_THROW(writer.finish(), FormatError);
}

TEST_F(ShardWriterTest, RefusesABatchOfAnotherShape) {
  ShardWriter writer(temp_ / "a.hdf5", {3, 8, 2}, {});
  EXPECT_THROW(writer.append(test::valid_rows({3, 9, 2}, 9)), FormatError);
}

TEST_F(ShardWriterTest, RefusesUnknownLayouts) {
  EXPECT_THROW(ShardWriter(temp_ / "a.hdf5", {3, 8, 2}, {.chunks = static_cast<ChunkLayout>(2)}), ConfigError);
}

TEST_F(ShardWriterTest, SaysWhyAFileCanNotBeMade) {
  try {
    ShardWriter(temp_ / "no/such/folder/a.hdf5", {3, 8, 2}, {});
    FAIL() << "an error was expected";
  } catch (const IoError& error) {
    EXPECT_NE(std::string(error.what()).find("No such file or directory"), std::string::npos) << error.what();
    EXPECT_NE(error.where().find("no/such/folder/a.hdf5"), std::string::npos);
  }
}

TEST_F(ShardWriterTest, CanBeLeftUnfinished) {
  const ShardShape shape{3000, 128, 20};
  {
    ShardWriter writer(temp_ / "a.hdf5", shape, {});
    writer.append(test::slice(test::valid_rows(shape, 10), shape, 0, 1000));
    ShardWriter moved = std::move(writer);
    moved.append(test::slice(test::valid_rows(shape, 10), shape, 1000, 1000));
  }
  EXPECT_TRUE(std::filesystem::remove(temp_ / "a.hdf5"));
}

TEST(ShardLayoutOptions, DescribesItself) {
  ShardLayoutOptions options;
  const auto fields = fields_of<ShardLayoutOptions>();
  ASSERT_EQ(fields.size(), 1U);
  EXPECT_EQ(value_of(options, fields[0]).value, "rows");
  set_field(options, fields[0], "reference");
  EXPECT_NO_THROW(validate(options));
  EXPECT_TRUE(fields[0].in_recipe);
}

}  // namespace
}  // namespace bertprep
