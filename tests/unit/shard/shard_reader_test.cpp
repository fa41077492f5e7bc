#include "bertprep/shard/shard_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "support/golden_data.h"
#include "support/temp_folder.h"
#include "support/thrown.h"
#include "unit/shard/shard_rows.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

struct Stored {
  hid_t type;
  std::vector<hsize_t> shape;
};
using Datasets = std::map<std::string, Stored>;

Datasets usual(hsize_t rows, hsize_t tokens, hsize_t predictions) {
  return {
      {kInputIds, {H5T_STD_I32LE, {rows, tokens}}},         {kInputMask, {H5T_STD_I8LE, {rows, tokens}}},
      {kSegmentIds, {H5T_STD_I8LE, {rows, tokens}}},        {kMaskedLmPositions, {H5T_STD_I32LE, {rows, predictions}}},
      {kMaskedLmIds, {H5T_STD_I32LE, {rows, predictions}}}, {kNextSentenceLabels, {H5T_STD_I8LE, {rows}}}};
}

// A file as another tool might write it: contiguous, element i of each dataset is i % 100, plus `add` in the first one.
void make_file(const fs::path& path, const Datasets& datasets, long long add = 0) {
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  for (const auto& [name, stored] : datasets) {
    const hid_t space = H5Screate_simple(static_cast<int>(stored.shape.size()), stored.shape.data(), nullptr);
    const hid_t dataset = H5Dcreate2(file, name.c_str(), stored.type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    std::vector<long long> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<long long>(i % 100);
    if (!values.empty()) values[0] += add;
    H5Dwrite(dataset, H5T_NATIVE_LLONG, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(dataset);
    H5Sclose(space);
  }
  H5Fclose(file);
}

std::string error_of(const fs::path& path) {
  return test::thrown_by<FormatError>([&] { test::read_shard(path); });
}

class ShardReaderTest : public testing::Test {
 protected:
  fs::path file(const Datasets& datasets, long long add = 0) {
    make_file(temp_ / "a.hdf5", datasets, add);
    return temp_ / "a.hdf5";
  }
  test::TempFolder temp_;
};

TEST_F(ShardReaderTest, ReadsAnyRows) {
  const ShardShape shape{700, 128, 20};
  const Batch rows = test::valid_rows(shape, 1);
  for (const char* layout : {"rows", "reference"}) {
    test::write_shard(temp_ / "a.hdf5", shape, rows, layout);
    ShardReader reader(temp_ / "a.hdf5");
    Batch batch;
    for (const std::size_t first : {0U, 1U, 255U, 256U, 511U, 699U, 700U}) {
      for (const std::size_t count : {0U, 1U, 2U, 64U, 300U}) {
        if (first + count > shape.rows) continue;
        reader.read(first, count, batch);
        EXPECT_TRUE(test::same_rows(batch, test::slice(rows, shape, first, count))) << first << "+" << count;
      }
    }
  }
}

TEST_F(ShardReaderTest, RefusesMissingRows) {
  const ShardShape shape{10, 8, 2};
  test::write_shard(temp_ / "a.hdf5", shape, test::valid_rows(shape, 1));
  ShardReader reader(temp_ / "a.hdf5");
  Batch batch;
  EXPECT_THROW(reader.read(0, 11, batch), ConfigError);
  EXPECT_THROW(reader.read(11, 0, batch), ConfigError);
  EXPECT_THROW(reader.read(1, ~std::size_t{0}, batch), ConfigError);
}

TEST_F(ShardReaderTest, ConvertsOtherIntegers) {
  Datasets datasets = usual(5, 8, 2);
  const Batch expected = test::read_shard(file(datasets));
  datasets[kInputIds].type = H5T_STD_I64BE;
  datasets[kInputMask].type = H5T_STD_I64LE;
  datasets[kSegmentIds].type = H5T_STD_U8LE;
  datasets[kMaskedLmPositions].type = H5T_STD_I16LE;
  datasets[kMaskedLmIds].type = H5T_STD_U32BE;
  datasets[kNextSentenceLabels].type = H5T_STD_I32LE;
  EXPECT_TRUE(test::same_rows(test::read_shard(file(datasets)), expected));
  EXPECT_EQ(expected.input_ids[7], 7);
}

TEST_F(ShardReaderTest, RefusesValuesThatDoNotFit) {
  Datasets datasets = usual(5, 8, 2);
  datasets[kInputIds].type = H5T_STD_I64LE;
  EXPECT_THAT(error_of(file(datasets, 1LL << 40U)), HasSubstr("input_ids"));
  EXPECT_EQ(error_of(file(datasets, 1LL << 30U)), "nothing thrown");
}

TEST_F(ShardReaderTest, NamesTheMissingDataset) {
  for (const auto& [name, stored] : usual(5, 8, 2)) {
    Datasets datasets = usual(5, 8, 2);
    datasets.erase(name);
    EXPECT_THAT(error_of(file(datasets)), HasSubstr("there is no dataset '" + name + "'"));
  }
}

TEST_F(ShardReaderTest, NamesBothShapesThatDoNotFit) {
  Datasets datasets = usual(5, 8, 2);
  datasets[kSegmentIds].shape = {5, 9};
  EXPECT_THAT(error_of(file(datasets)), HasSubstr("segment_ids is 5 x 9, but input_ids is 5 x 8"));
  datasets = usual(5, 8, 2);
  datasets[kMaskedLmIds].shape = {5, 3};
  EXPECT_THAT(error_of(file(datasets)), HasSubstr("masked_lm_ids is 5 x 3, but masked_lm_positions is 5 x 2"));
  datasets = usual(5, 8, 2);
  datasets[kNextSentenceLabels].shape = {4};
  EXPECT_THAT(error_of(file(datasets)), HasSubstr("next_sentence_labels is 4, but input_ids is 5 x 8"));
}

TEST_F(ShardReaderTest, RefusesOtherRanks) {
  Datasets datasets = usual(5, 8, 2);
  datasets[kInputIds].shape = {40};
  EXPECT_THAT(error_of(file(datasets)), HasSubstr("input_ids is 40, expected 2 dimensions"));
  datasets = usual(5, 8, 2);
  datasets[kNextSentenceLabels].shape = {5, 1};
  EXPECT_THAT(error_of(file(datasets)), HasSubstr("next_sentence_labels is 5 x 1, expected 1 dimensions"));
}

TEST_F(ShardReaderTest, RefusesRealNumbers) {
  Datasets datasets = usual(5, 8, 2);
  datasets[kInputIds].type = H5T_IEEE_F32LE;
  EXPECT_THAT(error_of(file(datasets)), HasSubstr("'input_ids' does not hold integers"));
}

TEST_F(ShardReaderTest, TellsMissingFilesFromDamagedOnes) {
  EXPECT_THROW(ShardReader(temp_ / "none.hdf5"), IoError);
  EXPECT_THROW(ShardReader(temp_.path()), IoError);
  EXPECT_THROW(ShardReader(temp_.write("text.hdf5", "no HDF5 at all")), FormatError);
  EXPECT_THROW(ShardReader(temp_.write("empty.hdf5", "")), FormatError);
}

TEST_F(ShardReaderTest, RefusesTruncatedFiles) {
  const ShardShape shape{300, 128, 20};
  test::write_shard(temp_ / "a.hdf5", shape, test::valid_rows(shape, 1));
  const std::string whole = test::read_bytes(temp_ / "a.hdf5");
  for (std::size_t size = 0; size < whole.size(); size += 997) {
    EXPECT_NE(error_of(temp_.write("cut.hdf5", whole.substr(0, size))), "nothing thrown") << size;
  }
}

TEST_F(ShardReaderTest, NoticesDamagedChunks) {
  const ShardShape shape{300, 128, 20};
  test::write_shard(temp_ / "a.hdf5", shape, test::valid_rows(shape, 1));
  std::string bytes = test::read_bytes(temp_ / "a.hdf5");
  const std::size_t stream = bytes.find("\x78\x5E");
  ASSERT_NE(stream, std::string::npos);
  bytes[stream + 500] = static_cast<char>(bytes[stream + 500] ^ 0x10);
  EXPECT_THAT(error_of(temp_.write("b.hdf5", bytes)), HasSubstr("can't read dataset"));
}

TEST_F(ShardReaderTest, ManyReadersAtOnce) {
  const ShardShape shape{100, 16, 2};
  const Batch rows = test::valid_rows(shape, 1);
  test::write_shard(temp_ / "a.hdf5", shape, rows);
  std::vector<ShardReader> readers;
  for (int i = 0; i < 20; ++i) readers.emplace_back(temp_ / "a.hdf5");
  Batch batch;
  for (ShardReader& reader : readers) {
    reader.read(0, 100, batch);
    EXPECT_TRUE(test::same_rows(batch, rows));
  }
}

TEST_F(ShardReaderTest, LeavesErrorPrintingAsItWas) {
  H5E_auto2_t before = nullptr;
  H5E_auto2_t after = nullptr;
  void* data = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &before, &data);
  ASSERT_NE(before, nullptr);
  EXPECT_THROW(ShardReader(temp_.write("text.hdf5", "no HDF5 at all")), FormatError);
  H5Eget_auto2(H5E_DEFAULT, &after, &data);
  EXPECT_EQ(before, after);
}

class DigestTest : public ShardReaderTest {};

TEST_F(DigestTest, NamesTypeShapeAndContent) {
  const auto digests = digest_datasets(
      file({{"b", {H5T_STD_I16BE, {3}}}, {"a", {H5T_STD_U8LE, {2, 2}}}, {"c", {H5T_STD_I64LE, {0, 4}}}}));
  ASSERT_EQ(digests.size(), 3U);
  EXPECT_EQ(digests[0].name, "a");
  EXPECT_EQ(digests[0].dtype, "|u1");
  EXPECT_EQ(digests[0].shape, (std::vector<std::size_t>{2, 2}));
  EXPECT_EQ(digests[0].sha256, sha256_of(std::string("\0\1\2\3", 4)));
  EXPECT_EQ(digests[1].dtype, ">i2");
  EXPECT_EQ(digests[1].sha256, sha256_of(std::string("\0\0\1\0\2\0", 6)));
  EXPECT_EQ(digests[2].dtype, "<i8");
  EXPECT_EQ(digests[2].sha256, sha256_of(""));
}

TEST_F(DigestTest, DoesNotDependOnBlocks) {
  // Longer than a block in every way: many rows, a row longer than a block, three dimensions.
  for (const std::vector<hsize_t>& shape :
       {std::vector<hsize_t>{9000003}, {3000000, 3}, {2, 5000001}, {3, 1500, 2999}}) {
    std::string bytes;
    std::size_t count = 1;
    for (const hsize_t size : shape) count *= size;
    for (std::size_t i = 0; i < count; ++i) bytes += static_cast<char>(i % 100);
    EXPECT_EQ(digest_datasets(file({{"a", {H5T_STD_I8LE, shape}}}))[0].sha256, sha256_of(bytes));
  }
}

TEST_F(DigestTest, RefusesRealNumbers) {
  EXPECT_THROW(digest_datasets(file({{"a", {H5T_IEEE_F64LE, {3}}}})), FormatError);
}

}  // namespace
}  // namespace bertprep
