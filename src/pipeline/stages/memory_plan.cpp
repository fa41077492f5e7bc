#include "pipeline/stages/memory_plan.h"

#include <algorithm>
#include <string>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20;
// Vocabulary, trie, caches, chunk buffers and the libraries themselves.
constexpr std::uint64_t kFixedBytes = 64 * kMegabyte;

}  // namespace

std::uint64_t shard_memory_bytes(std::uint64_t text_bytes, const InstanceOptions& options) {
  // Text and ids take 1 byte each per byte of text, plus growth; instances about 0.4 bytes per copy.
  const double per_byte = 3.0 + 0.5 * static_cast<double>(options.dupe_factor);
  // More than any machine has: a larger number would not fit into an integer.
  constexpr double kMost = 0x1p62;
  return static_cast<std::uint64_t>(std::min(kMost, static_cast<double>(text_bytes) * per_byte)) + 16 * kMegabyte;
}

std::size_t threads_within(std::uint64_t memory, std::uint64_t largest_shard_bytes, std::size_t threads) {
  const std::uint64_t available = memory > kFixedBytes ? memory - kFixedBytes : 0;
  const std::uint64_t fitting = available / std::max<std::uint64_t>(1, largest_shard_bytes);
  if (fitting == 0) {
    throw FormatError("the largest text shard needs about " +
                          std::to_string((largest_shard_bytes + kFixedBytes) / kMegabyte + 1) +
                          " MiB, `memory` allows " + std::to_string(memory / kMegabyte),
                      {}, "give more `memory` or make more, smaller text shards");
  }
  return std::clamp<std::size_t>(static_cast<std::size_t>(fitting), 1, threads);
}

}  // namespace bertprep
