// Files that refer to other files: all are refused, and nothing else is opened.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/stat.h>

#include <algorithm>
#include <functional>

#include "bertprep/base/error.h"
#include "bertprep/shard/shard_reader.h"
#include "shard/hdf5/hdf5_input.h"
#include "support/temp_folder.h"
#include "support/thrown.h"
#include "unit/shard/shard_rows.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr ShardShape kReachShape{64, 16, 4};

class Hdf5ReachTest : public testing::Test {
 protected:
  // A valid shard in which `make` replaces input_ids.
  void make_shard(const std::function<void(hid_t file)>& make) {
    test::write_shard(path(), kReachShape, test::valid_rows(kReachShape, 1));
    const hid_t file = H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GE(H5Lmove(file, kInputIds, file, "own_ids", H5P_DEFAULT, H5P_DEFAULT), 0);
    make(file);
    ASSERT_GE(H5Fclose(file), 0);
  }

  void make_dataset(hid_t file, std::vector<hsize_t> dims, hid_t properties) {
    const hid_t space = H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr);
    const hid_t dataset = H5Dcreate2(file, kInputIds, H5T_STD_I32LE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    ASSERT_GE(dataset, 0);
    H5Dclose(dataset);
    H5Sclose(space);
    H5Pclose(properties);
  }

  // Opening it for reading waits for a writer forever.
  std::string trap() {
    const std::string trap = (temp_ / "trap").string();
    ::mkfifo(trap.c_str(), 0600);
    EXPECT_TRUE(fs::is_fifo(trap));
    return trap;
  }

  void expect_refused(const std::string& words) {
    EXPECT_THAT(test::thrown_by<FormatError>([&] { ShardReader{path()}; }), HasSubstr(words));
    EXPECT_THAT(test::thrown_by<FormatError>([&] { digest_datasets(path()); }), HasSubstr(words));
  }

  fs::path path() const { return temp_ / "a_training_0.hdf5"; }
  const test::TempFolder temp_;
};

TEST_F(Hdf5ReachTest, RefusesVirtualDatasets) {
  make_shard([&](hid_t file) {
    const std::vector<hsize_t> dims{kReachShape.rows, kReachShape.seq_len};
    const hid_t space = H5Screate_simple(2, dims.data(), nullptr);
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    ASSERT_GE(H5Pset_virtual(properties, space, trap().c_str(), "ids", space), 0);
    make_dataset(file, dims, properties);
    H5Sclose(space);
  });
  expect_refused("a_training_0.hdf5: dataset 'input_ids' is virtual: its values are in other files; copy the values");
}

TEST_F(Hdf5ReachTest, RefusesExternalStorage) {
  make_shard([&](hid_t file) {
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    ASSERT_GE(H5Pset_external(properties, trap().c_str(), 0, H5F_UNLIMITED), 0);
    make_dataset(file, {kReachShape.rows, kReachShape.seq_len}, properties);
  });
  expect_refused("dataset 'input_ids' has external storage: its values are in other files");
}

TEST_F(Hdf5ReachTest, RefusesLinksIntoOtherFiles) {
  make_shard([&](hid_t file) {
    ASSERT_GE(H5Lcreate_external(trap().c_str(), "/ids", file, kInputIds, H5P_DEFAULT, H5P_DEFAULT), 0);
  });
  expect_refused("dataset 'input_ids' is a link into another file, " + trap());
}

TEST_F(Hdf5ReachTest, RefusesLinksThatLeaveTheFileOnTheirWay) {
  make_shard([&](hid_t file) {
    ASSERT_GE(H5Lcreate_external(trap().c_str(), "/", file, "elsewhere", H5P_DEFAULT, H5P_DEFAULT), 0);
    ASSERT_GE(H5Lcreate_soft("/elsewhere/ids", file, kInputIds, H5P_DEFAULT, H5P_DEFAULT), 0);
  });
  expect_refused("is a link into another file, " + trap());
}

TEST_F(Hdf5ReachTest, RefusesLinksOfKindsThatHdf5DoesNotKnow) {
  const H5L_class_t kind{H5L_LINK_CLASS_T_VERS,
                         H5L_TYPE_UD_MIN,
                         "test",
                         nullptr,
                         nullptr,
                         nullptr,
                         [](const char*, hid_t, const void*, size_t, hid_t, hid_t) -> hid_t { return -1; },
                         nullptr,
                         nullptr};
  make_shard([&](hid_t file) {
    ASSERT_GE(H5Lregister(&kind), 0);
    ASSERT_GE(H5Lcreate_ud(file, kInputIds, kind.id, "x", 1, H5P_DEFAULT, H5P_DEFAULT), 0);
    ASSERT_GE(H5Lunregister(kind.id), 0);
  });
  // HDF5 1.14 counts such a link as none.
  EXPECT_THAT(test::thrown_by<FormatError>([&] { ShardReader{path()}; }),
              testing::AnyOf(HasSubstr("can't open dataset 'input_ids'"), HasSubstr("no dataset 'input_ids'")));
}

TEST_F(Hdf5ReachTest, FollowsLinksWithinTheFile) {
  make_shard([&](hid_t file) { ASSERT_GE(H5Lcreate_soft("/own_ids", file, kInputIds, H5P_DEFAULT, H5P_DEFAULT), 0); });
  EXPECT_TRUE(test::same_rows(test::read_shard(path()), test::valid_rows(kReachShape, 1)));
  EXPECT_EQ(digest_datasets(path()).size(), 7U);
}

TEST_F(Hdf5ReachTest, RefusesFiltersThatAreLoaded) {
  make_shard([&](hid_t file) {
    const std::vector<hsize_t> chunk{kReachShape.rows, kReachShape.seq_len};
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(properties, 2, chunk.data());
    ASSERT_GE(H5Pset_filter(properties, 32001, H5Z_FLAG_OPTIONAL, 0, nullptr), 0);
    make_dataset(file, chunk, properties);
  });
  expect_refused("dataset 'input_ids' needs filter 32001, which HDF5 would load as a plug-in; compress the values");
}

TEST_F(Hdf5ReachTest, RefusesShapesThatNoSuchFileCanHold) {
  constexpr hsize_t kHuge = hsize_t{1} << 60U;
  const std::vector<std::vector<hsize_t>> shapes{
      {kHuge, 16}, {hsize_t{1} << 33U, hsize_t{1} << 31U}, {64, kHuge}, {hsize_t{1} << 40U, 16}, {1U << 24U, 16}};
  for (const std::vector<hsize_t>& dims : shapes) {
    make_shard([&](hid_t file) {
      const std::vector<hsize_t> chunk{1, 16};
      const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
      H5Pset_chunk(properties, 2, chunk.data());
      make_dataset(file, dims, properties);
    });
    expect_refused("dataset 'input_ids' is " + std::to_string(dims[0]) + " x " + std::to_string(dims[1]) +
                   ", more than a file of " + std::to_string(fs::file_size(path())) + " bytes can hold");
  }
}

TEST_F(Hdf5ReachTest, RefusesChunksThatNoSuchFileCanHold) {
  make_shard([&](hid_t file) {
    const std::vector<hsize_t> chunk{1U << 25U, 16};
    const hid_t space = H5Screate_simple(2, std::vector<hsize_t>{kReachShape.rows, kReachShape.seq_len}.data(),
                                         std::vector<hsize_t>{H5S_UNLIMITED, kReachShape.seq_len}.data());
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(properties, 2, chunk.data());
    H5Dclose(H5Dcreate2(file, kInputIds, H5T_STD_I32LE, space, H5P_DEFAULT, properties, H5P_DEFAULT));
    H5Pclose(properties);
    H5Sclose(space);
  });
  expect_refused("a chunk of dataset 'input_ids' is 33554432 x 16, more than a file of");
}

// Even the best compression is within the bound.
TEST_F(Hdf5ReachTest, TakesShardsOfOneValue) {
  const ShardShape shape{20000, 512, 1};
  Batch rows = test::valid_rows(shape, 1);
  std::fill(rows.input_ids.begin(), rows.input_ids.end(), 7);
  std::fill(rows.input_mask.begin(), rows.input_mask.end(), std::int8_t{1});
  std::fill(rows.segment_ids.begin(), rows.segment_ids.end(), std::int8_t{0});
  std::fill(rows.masked_lm_positions.begin(), rows.masked_lm_positions.end(), 0);
  std::fill(rows.masked_lm_ids.begin(), rows.masked_lm_ids.end(), 0);
  for (const char* layout : {"rows", "reference"}) {
    test::write_shard(path(), shape, rows, layout);
    EXPECT_TRUE(test::same_rows(test::read_shard(path()), rows));
  }
  EXPECT_GT(shape.rows * shape.seq_len * 4, 100 * fs::file_size(path()));
}

TEST(RefuseAbsurdShape, KnowsNoOverflow) {
  const auto refused = [](std::vector<std::size_t> shape, std::uint64_t file_bytes) {
    try {
      refuse_absurd_shape(shape, 4, file_bytes, "x", "file");
    } catch (const FormatError&) {
      return true;
    }
    return false;
  };
  constexpr std::size_t kMax = ~std::size_t{0};
  EXPECT_TRUE(refused({kMax, kMax}, std::uint64_t{1} << 50U));
  EXPECT_TRUE(refused({std::size_t{1} << 32U, std::size_t{1} << 32U}, 1U << 20U));
  EXPECT_TRUE(refused({std::size_t{1} << 62U, 4}, 1U << 20U));
  EXPECT_TRUE(refused({259}, 1));
  EXPECT_FALSE(refused({258}, 1));
  EXPECT_FALSE(refused({kMax, 0}, 1));
  EXPECT_FALSE(refused({}, 1));
}

}  // namespace
}  // namespace bertprep
