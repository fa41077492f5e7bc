// The view of trainers' libraries: h5py without plugins, if installed.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "bertprep/shard/shard_reader.h"
#include "support/golden_data.h"
#include "support/temp_folder.h"
#include "unit/shard/shard_rows.h"

namespace bertprep {
namespace {

const std::string kPython = "/usr/bin/python3";

bool have_h5py() {
  return std::system((kPython + " -c 'import h5py' 2>/dev/null").c_str()) == 0;
}

std::string seen_by_h5py(const std::filesystem::path& shard) {
  const auto script = test::source_folder() / "tests/unit/shard/read_with_h5py.py";
  const std::string command = kPython + " '" + script.string() + "' '" + shard.string() + "'";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  std::string text;
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) text += static_cast<char>(c);
  return text;
}

std::string seen_by_us(const std::filesystem::path& shard) {
  std::string text;
  for (const DatasetDigest& digest : digest_datasets(shard)) {
    std::string shape;
    for (const std::size_t size : digest.shape) shape += (shape.empty() ? "" : "x") + std::to_string(size);
    text += digest.name + " " + digest.dtype + " " + shape + " " + digest.sha256 + "\n";
  }
  return text;
}

TEST(H5py, ReadsBothLayouts) {
  if (!have_h5py()) GTEST_SKIP() << "skipped: " << kPython << " has no h5py";
  const test::TempFolder temp;
  for (const ShardShape shape : {ShardShape{0, 128, 20}, ShardShape{600, 128, 20}, ShardShape{100, 512, 80}}) {
    for (const char* layout : {"rows", "reference"}) {
      test::write_shard(temp / "a.hdf5", shape, test::valid_rows(shape, 1, 250002), layout);
      const std::string seen = seen_by_h5py(temp / "a.hdf5");
      EXPECT_FALSE(seen.empty());
      EXPECT_EQ(seen, seen_by_us(temp / "a.hdf5"));
    }
  }
}

}  // namespace
}  // namespace bertprep
