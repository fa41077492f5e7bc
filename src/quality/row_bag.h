// RowBag: rows without their order, by their digests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bertprep {

// Of up to kMostDigests rows every digest is kept; of more rows those of a part that is the same for all bags, a half,
// a quarter and so on.
class RowBag {
 public:
  static constexpr std::size_t kMostDigests = std::size_t{1} << 24U;

  explicit RowBag(std::size_t most_digests = kMostDigests) : most_digests_(most_digests) {}

  void add(std::uint64_t digest);
  std::uint64_t rows() const { return rows_; }
  // One of so many rows is kept.
  std::uint64_t one_in() const { return std::uint64_t{1} << halvings_; }

  // Whether the same rows were added, each as often: by two sums over all rows, whatever is kept.
  friend bool same_rows(const RowBag& left, const RowBag& right) {
    return left.rows_ == right.rows_ && left.sum_ == right.sum_ && left.mixed_sum_ == right.mixed_sum_;
  }
  // Rows that both have, each as often as in both, among those that both keep; and how many of the larger bag's rows
  // were compared.
  struct Common {
    std::uint64_t rows = 0;
    std::uint64_t of = 0;
    std::uint64_t one_in = 1;
  };
  friend Common common_rows(RowBag& left, RowBag& right);

 private:
  void halve();

  std::size_t most_digests_;
  std::vector<std::uint64_t> digests_;
  unsigned halvings_ = 0;
  std::uint64_t rows_ = 0;
  std::uint64_t sum_ = 0;
  std::uint64_t mixed_sum_ = 0;
};

}  // namespace bertprep
