// Chunks decoded here against HDF5's own decoding: the same values, or none.
#include "shard/hdf5/hdf5_chunks.h"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <random>

#include "bertprep/base/error.h"
#include "shard/hdf5/hdf5_input.h"
#include "support/golden_data.h"
#include "support/temp_folder.h"
#include "unit/shard/shard_rows.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

using Values = std::optional<std::vector<std::byte>>;

constexpr const char* kNames[] = {kInputIds,          kInputMask,   kSegmentIds,
                                  kMaskedLmPositions, kMaskedLmIds, kNextSentenceLabels};

std::size_t bytes_of(const Hdf5InputDataset& dataset) {
  std::size_t bytes = dataset.type().bytes;
  for (const std::size_t size : dataset.shape()) bytes *= size;
  return bytes;
}

// All of a dataset, a few rows at a time.
Values by_us(const Hdf5InputDataset& dataset, std::size_t rows_at_once) try {
  std::vector<std::byte> values(bytes_of(dataset));
  std::vector<std::size_t> first(dataset.shape().size(), 0);
  std::vector<std::size_t> count = dataset.shape();
  const std::size_t row_bytes = values.size() / std::max<std::size_t>(dataset.shape()[0], 1);
  for (; first[0] < dataset.shape()[0]; first[0] += count[0]) {
    count[0] = std::min(rows_at_once, dataset.shape()[0] - first[0]);
    dataset.read(first, count, dataset.type(), std::span(values).subspan(first[0] * row_bytes, count[0] * row_bytes));
  }
  return values;
} catch (const FormatError&) {
  return {};
}

// As our reader opens it, which may have it open at the same time.
Hdf5Handle opened_by_hdf5(const fs::path& path) {
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
#if H5_VERSION_GE(1, 10, 7)
  H5Pset_file_locking(access.id(), 0, 1);
#endif
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose};
}

Values by_hdf5(const fs::path& path, const char* name, std::size_t bytes) {
  const Hdf5Call silence;
  const Hdf5Handle file = opened_by_hdf5(path);
  const Hdf5Handle dataset(H5Dopen2(file.id(), name, H5P_DEFAULT), H5Dclose);
  const Hdf5Handle stored_type(H5Dget_type(dataset.id()), H5Tclose);
  const Hdf5Handle type(H5Tget_native_type(stored_type.id(), H5T_DIR_DEFAULT), H5Tclose);
  std::vector<std::byte> values(bytes);
  if (H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) return {};
  return values;
}

struct Counts {
  std::size_t read = 0;
  std::size_t refused = 0;
  std::size_t read_here_only = 0;
};

using ValuesByName = std::map<std::string, Values>;

// Files that can't be opened are refused before any value is read, in both ways. Damage may leave the values as they
// were, `undamaged`, and only HDF5 refuse it: a code that no distance has says nothing where there is but one distance.
void compare(const fs::path& path, std::size_t rows_at_once, Counts& counts, const ValuesByName& undamaged = {}) {
  for (const char* name : kNames) {
    try {
      const Hdf5InputFile file(path);
      const Hdf5InputDataset dataset(file, name);
      if (dataset.shape().empty()) continue;
      const Values expected = by_hdf5(path, name, bytes_of(dataset));
      const Values ours = by_us(dataset, rows_at_once);
      const bool here_only = ours && !expected && undamaged.contains(name);
      EXPECT_TRUE(ours == (here_only ? undamaged.at(name) : expected)) << path << " " << name << " by " << rows_at_once;
      if (here_only) ++counts.read_here_only;
      ++(expected ? counts.read : counts.refused);
    } catch (const FormatError&) {
      ++counts.refused;
    }
  }
}

// Whether all chunks of a dataset are read without HDF5's decoder.
bool reads_chunks(const fs::path& path, const char* name) {
  const Hdf5InputFile file(path);
  const Hdf5InputDataset dataset(file, name);
  const Hdf5Handle by_library = opened_by_hdf5(path);
  const Hdf5Handle handle(H5Dopen2(by_library.id(), name, H5P_DEFAULT), H5Dclose);
  const Hdf5Handle properties(H5Dget_create_plist(handle.id()), H5Pclose);
  std::vector<hsize_t> chunk(dataset.shape().size());
  if (H5Pget_chunk(properties.id(), static_cast<int>(chunk.size()), chunk.data()) < 0) return false;
  const auto chunks = Hdf5Chunks::of(handle, {dataset.shape(), {chunk.begin(), chunk.end()}, dataset.type().bytes},
                                     fs::file_size(path));
  std::vector<std::byte> values(bytes_of(dataset));
  return chunks && chunks->read(0, dataset.shape()[0], values);
}

class Hdf5ChunksTest : public testing::Test {
 protected:
  // A dataset of 300 x 40 values as `type` in chunks of 64 x 16 with the filters that `set` adds.
  template <class SetFilters>
  fs::path make(hid_t type, SetFilters set, bool with_values = true) {
    const hid_t file = H5Fcreate(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hsize_t dims[] = {300, 40};
    const hsize_t chunk[] = {64, 16};
    const hid_t space = H5Screate_simple(2, dims, nullptr);
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(properties, 2, chunk);
    set(properties);
    const hid_t dataset = H5Dcreate2(file, kInputIds, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    std::vector<int> values(300 * 40);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i * 7919 % 30000);
    if (with_values) H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(dataset);
    H5Pclose(properties);
    H5Sclose(space);
    H5Fclose(file);
    return path();
  }

  fs::path path() const { return temp_ / "a_training_0.hdf5"; }
  const test::TempFolder temp_;
};

TEST_F(Hdf5ChunksTest, ReadsBothLayoutsAsHdf5Does) {
  for (const ShardShape shape :
       {ShardShape{1, 16, 2}, {255, 128, 20}, {256, 128, 20}, {700, 128, 20}, {130, 512, 80}}) {
    for (const char* layout : {"rows", "reference"}) {
      for (const Batch& rows : {test::valid_rows(shape, 1), test::arbitrary_rows(shape, 1)}) {
        test::write_shard(path(), shape, rows, layout);
        Counts counts;
        for (const std::size_t rows_at_once : {1U, 64U, 100U, 256U, 257U, 1000U}) compare(path(), rows_at_once, counts);
        EXPECT_EQ(counts.read, 36U);
        for (const char* name : kNames) EXPECT_TRUE(reads_chunks(path(), name)) << layout << " " << name;
      }
    }
  }
}

TEST_F(Hdf5ChunksTest, LeavesOtherFiltersAndTypesToHdf5) {
  const auto none = [](hid_t) {};
  const auto deflate = [](hid_t list) { H5Pset_deflate(list, 4); };
  const auto shuffle = [](hid_t list) { H5Pset_shuffle(list), H5Pset_deflate(list, 4); };
  const auto wrong_order = [](hid_t list) { H5Pset_deflate(list, 4), H5Pset_shuffle(list); };
  const auto summed = [](hid_t list) { H5Pset_deflate(list, 4), H5Pset_fletcher32(list); };
  const auto expect = [&](bool read_here, const fs::path& file) {
    EXPECT_EQ(reads_chunks(file, kInputIds), read_here);
    const Hdf5InputFile input(file);
    const Hdf5InputDataset dataset(input, kInputIds);
    EXPECT_TRUE(by_us(dataset, 50) == by_hdf5(file, kInputIds, bytes_of(dataset)));
  };
  for (const hid_t type : {H5T_STD_I8LE, H5T_STD_I16LE, H5T_STD_I32LE, H5T_STD_I32BE, H5T_STD_U64LE}) {
    const bool shuffled_here = H5Tget_size(type) == 1 || H5Tget_size(type) == 4;
    expect(false, make(type, none));
    expect(true, make(type, deflate));
    expect(shuffled_here, make(type, shuffle));
    expect(false, make(type, wrong_order));
    expect(false, make(type, summed));
    expect(false, make(type, deflate, false));
  }
}

// The places of all bytes of chunks. Only HDF5 can find damage elsewhere, and then leaks memory.
std::vector<std::size_t> bytes_of_chunks(const fs::path& path) {
  const Hdf5Handle file = opened_by_hdf5(path);
  const Hdf5Call silence;
  std::vector<std::size_t> places;
  for (const char* name : kNames) {
    const Hdf5Handle dataset(H5Dopen2(file.id(), name, H5P_DEFAULT), H5Dclose);
    const Hdf5Handle space(H5Dget_space(dataset.id()), H5Sclose);
    hsize_t chunks = 0;
    H5Dget_num_chunks(dataset.id(), space.id(), &chunks);
    for (hsize_t chunk = 0; chunk < chunks; ++chunk) {
      hsize_t first[2] = {}, bytes = 0;
      unsigned filters = 0;
      haddr_t begin = 0;
      H5Dget_chunk_info(dataset.id(), space.id(), chunk, first, &filters, &begin, &bytes);
      for (hsize_t byte = 0; byte < bytes; ++byte) places.push_back(static_cast<std::size_t>(begin + byte));
    }
  }
  return places;
}

TEST_F(Hdf5ChunksTest, RefusesDamageAsHdf5Does) {
  const ShardShape shape{300, 64, 10};
  for (const char* layout : {"rows", "reference"}) {
    test::write_shard(path(), shape, test::valid_rows(shape, 1), layout);
    const std::string whole = test::read_bytes(path());
    const std::vector<std::size_t> places = bytes_of_chunks(path());
    ASSERT_GT(places.size(), whole.size() / 2);
    ValuesByName undamaged;
    for (const char* name : kNames) {
      const Hdf5InputFile file(path());
      undamaged[name] = by_us(Hdf5InputDataset(file, name), 128);
    }
    std::mt19937 random(1);
    Counts counts;
    for (int round = 0; round < 400; ++round) {
      std::string damaged = whole;
      const std::size_t at = places[random() % places.size()];
      damaged[at] = static_cast<char>(damaged[at] ^ 1 << random() % 8);
      compare(temp_.write("damaged.hdf5", damaged), 128, counts, undamaged);
    }
    EXPECT_GT(counts.read, 1000U);
    EXPECT_GT(counts.refused, 50U);
    EXPECT_LT(counts.read_here_only, 20U);
  }
}

class Hdf5ChunksGoldenTest : public test::GoldenTest {};

TEST_F(Hdf5ChunksGoldenTest, ReadsTheReferencesFilesAsHdf5Does) {
  Counts counts;
  std::size_t read_here = 0;
  for (const auto& entry : fs::recursive_directory_iterator(test::shared_folder() / "goldens")) {
    if (entry.path().extension() != ".hdf5") continue;
    const std::size_t before = counts.read;
    compare(entry.path(), 100, counts);
    if (counts.read == before + std::size(kNames)) read_here += reads_chunks(entry.path(), kInputIds) ? 1 : 0;
  }
  EXPECT_GT(counts.read, 100U);
  EXPECT_GT(read_here, 5U);
}

}  // namespace
}  // namespace bertprep
