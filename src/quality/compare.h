// Compare: do two sets of HDF5 files hold the same rows, whoever made them?
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"

namespace bertprep {

// Rows for one purpose: of the files with 'training' in their names, or with 'test'; or all, where other names or a
// single file are compared.
struct RowsCompared {
  std::string part;  // "training", "test", "other", "all"
  std::uint64_t rows_a = 0;
  std::uint64_t rows_b = 0;
  bool same_order = false;
  bool same_rows = false;  // in any order, each as often
  // The first place where they differ; nothing where the orders are the same.
  struct Difference {
    std::string place_a;  // "x_training_0.hdf5: row 3"; empty: A has ended
    std::string place_b;
    std::string what;  // "input_ids[5] is 7 and 9"
  };
  std::optional<Difference> first{};
  // Rows that both have, of how many of the larger side, by one in `one_in` rows: all below 16 million.
  std::uint64_t common = 0;
  std::uint64_t common_of = 0;
  std::uint64_t one_in = 1;
};

struct RecipeDifference {
  std::string name;
  std::string a;  // "absent" where it is not in the recipe
  std::string b;
};

struct Comparison {
  std::vector<RowsCompared> parts;        // those that A or B have
  std::vector<RecipeDifference> recipes;  // of the manifests, where both have one
  bool same_order() const;
  bool same_rows() const;
};

// `a` and `b`: a folder of HDF5 files, or a file. The rows of a folder come file by file in the natural order of names,
// 2 before 10; how many files they are spread over plays no part, nor the types of columns. Reads both once, in step.
// Memory: a MiB or so of each, and at most 128 MiB of digests for each. Throws IoError, FormatError, Cancelled.
Comparison compare_sets(const std::filesystem::path& a, const std::filesystem::path& b, Progress& progress);

}  // namespace bertprep
