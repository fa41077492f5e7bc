#include "shard/deflate/block_code.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace bertprep {
namespace {

using CodeCounts = std::vector<std::uint64_t>;
using Lengths = std::vector<std::uint8_t>;

std::uint64_t cost(const CodeCounts& counts, const Lengths& lengths) {
  return std::inner_product(counts.begin(), counts.end(), lengths.begin(), std::uint64_t{0});
}

Lengths lengths_of(const CodeCounts& counts, unsigned max_bits) {
  const CodeLengths lengths = code_lengths(counts, max_bits);
  EXPECT_TRUE(std::all_of(lengths.begin() + static_cast<std::ptrdiff_t>(counts.size()), lengths.end(),
                          [](std::uint8_t length) { return length == 0; }));
  return {lengths.begin(), lengths.begin() + static_cast<std::ptrdiff_t>(counts.size())};
}

// Used shares of the code space, in units of 2^-max_bits.
std::uint64_t space(const Lengths& lengths, unsigned max_bits) {
  std::uint64_t sum = 0;
  for (const std::uint8_t length : lengths) sum += length == 0 ? 0 : std::uint64_t{1} << (max_bits - length);
  return sum;
}

// The slow twin: the best of all assignments of lengths 1 .. max_bits that give a decodable code.
std::uint64_t best_cost(const CodeCounts& counts, unsigned max_bits) {
  Lengths lengths(counts.size(), 1);
  std::uint64_t best = ~std::uint64_t{0};
  while (true) {
    if (space(lengths, max_bits) <= std::uint64_t{1} << max_bits) best = std::min(best, cost(counts, lengths));
    std::size_t i = 0;
    while (i < lengths.size() && lengths[i] == max_bits) lengths[i++] = 1;
    if (i == lengths.size()) return best;
    ++lengths[i];
  }
}

CodeCounts random_counts(std::mt19937& generator) {
  CodeCounts counts(2 + generator() % 5);
  for (auto& count : counts) count = 1 + (generator() % 2 == 0 ? generator() % 3 : generator() % 1000);
  return counts;
}

// Lengths for `rounds` sets of few counts: complete, each near the best, and nearer on average.
void expect_near_the_best(unsigned seed, int rounds, unsigned least_bits, unsigned most_bits) {
  std::mt19937 generator(seed);
  std::uint64_t total = 0;
  std::uint64_t best_total = 0;
  for (int round = 0; round < rounds; ++round) {
    const unsigned max_bits = least_bits + static_cast<unsigned>(generator() % (most_bits - least_bits + 1));
    const CodeCounts counts = random_counts(generator);
    const Lengths lengths = lengths_of(counts, max_bits);
    const std::uint64_t best = best_cost(counts, max_bits);
    EXPECT_EQ(space(lengths, max_bits), std::uint64_t{1} << max_bits);
    EXPECT_LE(cost(counts, lengths), best + best / 3);
    total += cost(counts, lengths);
    best_total += best;
  }
  EXPECT_LE(total, best_total + best_total / 40);
}

TEST(CodeLengths, AreCompleteAndNearTheBest) {
  expect_near_the_best(1, 200, 5, 5);
}

TEST(CodeLengths, AreCompleteAndNearTheBestUnderTheLimit) {
  expect_near_the_best(2, 400, 3, 4);
}

TEST(CodeLengths, AreNearTheEntropyOfManySymbols) {
  std::mt19937 generator(3);
  for (int round = 0; round < 50; ++round) {
    CodeCounts counts(286);
    for (auto& count : counts) count = 1 + generator() % (1U << (1 + generator() % 14));
    const auto total = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
    double entropy = 0;
    for (const auto count : counts)
      entropy += static_cast<double>(count) * std::log2(total / static_cast<double>(count));
    const Lengths lengths = lengths_of(counts, 14);
    EXPECT_EQ(space(lengths, 14), std::uint64_t{1} << 14U);
    EXPECT_LE(static_cast<double>(cost(counts, lengths)), entropy * 1.015);
  }
}

TEST(CodeLengths, TakeCountsOfAnySize) {
  const Lengths small = lengths_of({1, 2, 4, 9}, 14);
  EXPECT_EQ(small, (Lengths{3, 3, 2, 1}));
  EXPECT_EQ(lengths_of({1ULL << 50U, 2ULL << 50U, 4ULL << 50U, 9ULL << 50U}, 14), small);
  const Lengths lengths = lengths_of({1, 1ULL << 60U, 1, 1ULL << 61U}, 14);
  EXPECT_EQ(space(lengths, 14), std::uint64_t{1} << 14U);
  EXPECT_EQ(lengths[3], 1);
  EXPECT_GT(lengths[0], 2);
}

TEST(CodeLengths, KeepTheLimitForFibonacciCounts) {
  CodeCounts counts{1, 1};
  while (counts.size() < 60) counts.push_back(counts[counts.size() - 1] + counts[counts.size() - 2]);
  for (const unsigned max_bits : {7U, 14U, 15U}) {
    const Lengths lengths = lengths_of(counts, max_bits);
    EXPECT_EQ(*std::max_element(lengths.begin(), lengths.end()), max_bits);
    EXPECT_EQ(space(lengths, max_bits), std::uint64_t{1} << max_bits);
  }
}

TEST(CodeLengths, SkipAbsentSymbols) {
  EXPECT_EQ(lengths_of(CodeCounts{0, 5, 0, 5}, 15), (Lengths{0, 1, 0, 1}));
  EXPECT_EQ(lengths_of(CodeCounts{0, 0, 7}, 15), (Lengths{0, 0, 1}));
  EXPECT_EQ(lengths_of(CodeCounts{0, 0}, 15), (Lengths{0, 0}));
}

TEST(CodeLengths, FillTheLimitExactly) {
  EXPECT_EQ(lengths_of(CodeCounts{1, 1, 1, 1000}, 2), (Lengths{2, 2, 2, 2}));
}

TEST(CanonicalCodes, AreThoseOfRfc1951) {
  // 3.2.2: lengths 3 3 3 3 3 2 4 4 give 010 011 100 101 110 00 1110 1111; here read backwards.
  const Lengths lengths{3, 3, 3, 3, 3, 2, 4, 4};
  const std::vector<std::uint16_t> expected{0b010, 0b110, 0b001, 0b101, 0b011, 0b00, 0b0111, 0b1111};
  const CodeBits codes = canonical_codes(lengths);
  EXPECT_EQ(std::vector(codes.begin(), codes.begin() + static_cast<std::ptrdiff_t>(lengths.size())), expected);
}

}  // namespace
}  // namespace bertprep
