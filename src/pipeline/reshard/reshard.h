// Reshard: redistributes the rows of finished shards, without the text.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "base/fields.h"
#include "bertprep/base/progress.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/shard/shard_writer.h"
#include "pipeline/reshard/redistributed_rows.h"

namespace bertprep {

struct ReshardOptions {
  std::int64_t shards = 0;       // for training; 0: as many as in the input
  std::int64_t test_shards = 0;  // likewise
  std::string shuffle_seed;      // empty: keep the order
  EqualRows equal_rows = EqualRows::kNo;
  std::int64_t rows_multiple_of = 1;
  bool flip_labels = false;  // label 1 becomes 0, and 0 becomes 1

  static const OptionGroup kGroup;
  static std::span<const Field<ReshardOptions>> fields();
};

struct ReshardTask {
  std::filesystem::path input;  // a folder of shards, ours or another tool's
  std::filesystem::path output;
  std::string name;  // of the dataset; empty: that of the input
  ReshardOptions options{};
  ShardLayoutOptions layout{};
  WorkOptions work{};
};

struct ReshardReport {
  std::string name;
  std::uint64_t training_shards = 0;
  std::uint64_t test_shards = 0;
  std::uint64_t training_rows = 0;
  std::uint64_t test_rows = 0;
  std::uint64_t dropped = 0;   // rows of the input that are in no output shard
  std::uint64_t repeated = 0;  // rows that occur more than once
  std::uint64_t made = 0;      // shards
  std::uint64_t found = 0;     // shards finished by an earlier call
};

// Output: NAME_training_I.hdf5, NAME_test_I.hdf5 and manifest.json, with the recipe of the input's manifest, if it has
// one, and the options. Files with 'test' in their names are for testing, all others for training. Rows are read in the
// natural order of files; repeated and dropped rows apply only to training. A killed call resumes when repeated. The
// same input and options give the same bytes. Memory per thread: about 64 MiB, and a writer.
//
// Throws IoError, Cancelled; ConfigError if the output is inside the input, or an option is invalid; FormatError if the
// input has no rows, rows of two lengths or files that are not shards, or the output has other files.
ReshardReport reshard(const ReshardTask& task, Progress& progress);

}  // namespace bertprep
