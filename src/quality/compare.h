// Compare: whether two sets of HDF5 files, of any origin, have the same rows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"

namespace bertprep {

// Rows of the files with 'training' in their names, or with 'test'; or all, for other names or a single file.
struct RowsCompared {
  std::string part;  // "training", "test", "other", "all"
  std::uint64_t rows_a = 0;
  std::uint64_t rows_b = 0;
  bool same_order = false;
  bool same_rows = false;  // in any order, equally often
  // The first place where they differ; nothing if the orders are equal.
  struct Difference {
    std::string place_a;  // "x_training_0.hdf5: row 3"; empty: A has no more rows
    std::string place_b;
    std::string what;  // "input_ids[5] is 7 and 9"
  };
  std::optional<Difference> first{};
  // Rows that both have, and rows of the larger side, counted in one of `one_in` rows: all below 16 million.
  std::uint64_t common = 0;
  std::uint64_t common_of = 0;
  std::uint64_t one_in = 1;
};

struct RecipeDifference {
  std::string name;
  std::string a;  // "absent" if it is not in the recipe
  std::string b;
};

struct Comparison {
  std::vector<RowsCompared> parts;        // those that A or B have
  std::vector<RecipeDifference> recipes;  // of the manifests, if both have one
  bool same_order() const;
  bool same_rows() const;
};

// `a` and `b`: a folder of HDF5 files, or a file. The rows of a folder come file by file in the natural order of names,
// 2 before 10; the number of files and the types of columns do not matter. Reads both once, in parallel. Memory: about
// a MiB and at most 128 MiB of digests for each. Throws IoError, FormatError, Cancelled.
Comparison compare_sets(const std::filesystem::path& a, const std::filesystem::path& b, Progress& progress);

}  // namespace bertprep
