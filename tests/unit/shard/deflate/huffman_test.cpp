#include "shard/deflate/huffman.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace bertprep {
namespace {

using Counts = std::vector<std::uint64_t>;
using Lengths = std::vector<std::uint8_t>;

std::uint64_t cost(const Counts& counts, const Lengths& lengths) {
  return std::inner_product(counts.begin(), counts.end(), lengths.begin(), std::uint64_t{0});
}

// Used shares of the code space, in units of 2^-max_bits.
std::uint64_t space(const Lengths& lengths, unsigned max_bits) {
  std::uint64_t sum = 0;
  for (const std::uint8_t length : lengths) sum += length == 0 ? 0 : std::uint64_t{1} << (max_bits - length);
  return sum;
}

// The slow twin: the best of all assignments of lengths 1 .. max_bits that give a decodable code.
std::uint64_t best_cost(const Counts& counts, unsigned max_bits) {
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

Counts random_counts(std::mt19937& generator) {
  Counts counts(2 + generator() % 5);
  for (auto& count : counts) count = 1 + (generator() % 2 == 0 ? generator() % 3 : generator() % 1000);
  return counts;
}

TEST(CodeLengths, AreTheBestWhereTheLimitDoesNotMatter) {
  std::mt19937 generator(1);
  for (int round = 0; round < 200; ++round) {
    const Counts counts = random_counts(generator);
    const Lengths lengths = code_lengths(counts, 5);  // six symbols need no more
    EXPECT_EQ(cost(counts, lengths), best_cost(counts, 5));
    EXPECT_EQ(space(lengths, 5), std::uint64_t{1} << 5U);
  }
}

TEST(CodeLengths, AreCompleteAndNearTheBestUnderTheLimit) {
  std::mt19937 generator(2);
  std::uint64_t total = 0;
  std::uint64_t best_total = 0;
  for (int round = 0; round < 400; ++round) {
    const unsigned max_bits = 3 + generator() % 2;
    const Counts counts = random_counts(generator);
    const Lengths lengths = code_lengths(counts, max_bits);
    const std::uint64_t best = best_cost(counts, max_bits);
    EXPECT_EQ(space(lengths, max_bits), std::uint64_t{1} << max_bits);
    EXPECT_LE(cost(counts, lengths), best + best / 3);
    total += cost(counts, lengths);
    best_total += best;
  }
  EXPECT_LE(total, best_total + best_total / 50);
}

TEST(CodeLengths, KeepTheLimitForFibonacciCounts) {
  Counts counts{1, 1};
  while (counts.size() < 60) counts.push_back(counts[counts.size() - 1] + counts[counts.size() - 2]);
  for (const unsigned max_bits : {7U, 14U, 15U}) {
    const Lengths lengths = code_lengths(counts, max_bits);
    EXPECT_EQ(*std::max_element(lengths.begin(), lengths.end()), max_bits);
    EXPECT_EQ(space(lengths, max_bits), std::uint64_t{1} << max_bits);
  }
}

TEST(CodeLengths, SkipAbsentSymbols) {
  EXPECT_EQ(code_lengths(Counts{0, 5, 0, 5}, 15), (Lengths{0, 1, 0, 1}));
  EXPECT_EQ(code_lengths(Counts{0, 0, 7}, 15), (Lengths{0, 0, 1}));
  EXPECT_EQ(code_lengths(Counts{0, 0}, 15), (Lengths{0, 0}));
}

TEST(CodeLengths, FillTheLimitExactly) {
  EXPECT_EQ(code_lengths(Counts{1, 1, 1, 1000}, 2), (Lengths{2, 2, 2, 2}));
}

TEST(CanonicalCodes, AreThoseOfRfc1951) {
  // 3.2.2: lengths 3 3 3 3 3 2 4 4 give 010 011 100 101 110 00 1110 1111; here read backwards.
  const Lengths lengths{3, 3, 3, 3, 3, 2, 4, 4};
  const std::vector<std::uint16_t> expected{0b010, 0b110, 0b001, 0b101, 0b011, 0b00, 0b0111, 0b1111};
  EXPECT_EQ(canonical_codes(lengths), expected);
}

}  // namespace
}  // namespace bertprep
