// DigestSample: how often the same text occurs, counted by digests in bounded memory.
//
// Digests whose lowest `level` bits are 0 are kept and counted; the level rises when there are too many. All
// occurrences of a text have the same digest, so the share of repeated texts in the sample estimates that in the corpus
// (distinct sampling: Gibbons 2001). At level 0 it is exact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "io/json.h"

namespace bertprep {

// Not thread-safe. Memory: 24 bytes for each digest kept, and as much for the digests of samples added to it.
class DigestSample {
 public:
  // Keeps at most `most` different digests.
  explicit DigestSample(std::size_t max = 2048) : max_(max) {}

  // `digest` has 64 well-mixed bits; the lowest 48 are used.
  void add(std::uint64_t digest) {
    digest &= kUsedBits;
    if ((digest & mask()) != 0) return;
    pending_.push_back(digest);
    if (pending_.size() >= max_) shrink();
  }
  // The sum of the samples of a corpus' shards keeps the digests of all of them, beyond its own limit.
  void add(const DigestSample& other);

  // Texts in the sample, and those that repeat an earlier one.
  std::uint64_t sampled() const;
  std::uint64_t repeated() const;
  // One text of 2^level is in the sample.
  int level() const { return level_; }
  double repeated_share() const;

  // As in records; independent of the order of the texts.
  Json to_json() const;
  // Throws FormatError.
  static DigestSample from_json(const Json& json);

 private:
  static constexpr std::uint64_t kUsedBits = (std::uint64_t{1} << 48) - 1;

  std::uint64_t mask() const { return (std::uint64_t{1} << level_) - 1; }
  void shrink();
  void raise_level(int level);
  void merge() const;
  void add_up_equal_ones() const;

  std::size_t max_;
  int level_ = 0;
  using Entry = std::pair<std::uint64_t, std::uint64_t>;  // digest and occurrences
  // Ascending and distinct; digests added since, singly and from other samples, wait for merge().
  mutable std::vector<Entry> kept_;
  mutable std::vector<std::uint64_t> pending_;
  mutable std::vector<Entry> others_;
};

}  // namespace bertprep
