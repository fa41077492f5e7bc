// RowBag: rows without their order, by their digests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bertprep {

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

}  // namespace bertprep
