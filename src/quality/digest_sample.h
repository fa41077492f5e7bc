// DigestSample: how often the same text occurs, counted by digests in bounded memory.
//
// Digests whose lowest `level` bits are 0 are kept, with their numbers of occurrences; the level grows when there are
// too many. All occurrences of a text have one digest, so the sample has the share of repeated texts that all of them
// have (distinct sampling: Gibbons 2001). At level 0 it is exact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "io/json.h"

namespace bertprep {

// Not thread-safe. Memory: 24 bytes for each digest that is kept, and of several
// samples together as much for all of theirs.
class DigestSample {
 public:
  // Keeps at most so many different digests.
  explicit DigestSample(std::size_t most = 2048) : most_(most) {}

  // `digest` is of 64 bits that are as good as random; the lowest 48 are used.
  void add(std::uint64_t digest) {
    digest &= kUsedBits;
    if ((digest & mask()) != 0) return;
    pending_.push_back(digest);
    if (pending_.size() >= most_) shrink();
  }
  // A sample keeps what the shards of a corpus kept together, whatever its own limit.
  void add(const DigestSample& other);

  // Texts in the sample, and those of them that repeat an earlier one.
  std::uint64_t sampled() const;
  std::uint64_t repeated() const;
  // One text of 2^level is in the sample.
  int level() const { return level_; }
  bool is_exact() const { return level_ == 0; }
  double repeated_share() const;

  // As records keep it: the same whatever order the texts came in.
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

  std::size_t most_;
  int level_ = 0;
  using Entry = std::pair<std::uint64_t, std::uint64_t>;  // digest and occurrences
  // Ascending, each digest once; what came since, one by one and of other samples, waits until merge().
  mutable std::vector<Entry> kept_;
  mutable std::vector<std::uint64_t> pending_;
  mutable std::vector<Entry> others_;
};

}  // namespace bertprep
