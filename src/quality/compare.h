// Compare: whether two sets of HDF5 files, of any origin, have the same rows.
#pragma once

#include <filesystem>
#include <vector>

#include "bertprep/base/progress.h"

namespace bertprep {

// RowBag: rows without their order, by their digests.
//
// Keeps the digests of up to kMaxDigests rows; of more, those of a half, a quarter and so on, chosen equally in all
// bags.
class RowBag {
 public:
  static constexpr std::size_t kMaxDigests = std::size_t{1} << 24U;

  explicit RowBag(std::size_t max_digests = kMaxDigests) : max_digests_(max_digests) {}

  void add(std::uint64_t digest);
  std::uint64_t rows() const { return rows_; }
  // One in this many rows is kept.
  std::uint64_t one_in() const { return std::uint64_t{1} << halvings_; }

  // Whether the same rows were added equally often: compares two sums over all rows, kept or not.
  friend bool same_rows(const RowBag& left, const RowBag& right) {
    return left.rows_ == right.rows_ && left.sum_ == right.sum_ && left.mixed_sum_ == right.mixed_sum_;
  }
  // Rows common to both, with multiplicity, among those that both keep; and how many of the larger bag's rows were
  // compared.
  struct Common {
    std::uint64_t rows = 0;
    std::uint64_t of = 0;
    std::uint64_t one_in = 1;
  };
  friend Common common_rows(RowBag& left, RowBag& right);

 private:
  void halve();

  std::size_t max_digests_;
  std::vector<std::uint64_t> digests_;
  unsigned halvings_ = 0;
  std::uint64_t rows_ = 0;
  std::uint64_t sum_ = 0;
  std::uint64_t mixed_sum_ = 0;
};

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
