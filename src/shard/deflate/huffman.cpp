#include "shard/deflate/huffman.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <utility>

namespace bertprep {
namespace {

struct Symbol {
  std::uint64_t count;
  std::size_t number;
};

// Small shards need thousands of codes, so nothing is allocated here.
using SymbolRoom = std::array<Symbol, kMaxCodeSymbols>;

// By node of Huffman's tree.
using Nodes = std::array<std::uint32_t, 2 * kMaxCodeSymbols>;

// How many codes have each length.
using LengthCounts = std::array<std::size_t, kMaxCodeBits + 1>;

// One pass of a radix sort: by eight bits of the counts, keeping the order of equal ones.
void sort_by_digit(std::span<const Symbol> symbols, unsigned shift, std::span<Symbol> sorted) {
  std::array<std::size_t, 257> begin{};
  const auto digit = [&](const Symbol& symbol) { return static_cast<std::uint8_t>(symbol.count >> shift); };
  for (const Symbol& symbol : symbols) ++begin[digit(symbol) + 1U];
  for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  for (const Symbol& symbol : symbols) sorted[begin[digit(symbol)]++] = symbol;
}

constexpr std::size_t kMinRadixSortSymbols = 40;

// Also keeps the order of equal ones.
void insertion_sort(std::span<Symbol> symbols) {
  for (std::size_t i = 1; i < symbols.size(); ++i) {
    const Symbol symbol = symbols[i];
    std::size_t at = i;
    for (; at > 0 && symbols[at - 1].count > symbol.count; --at) symbols[at] = symbols[at - 1];
    symbols[at] = symbol;
  }
}

// Symbols that occur, rarest first, in one of two arrays.
std::span<const Symbol> by_count(std::span<const std::uint64_t> counts, SymbolRoom& room, SymbolRoom& other_room) {
  assert(counts.size() <= kMaxCodeSymbols);
  std::size_t size = 0;
  std::uint64_t used_bits = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0) room[size++] = {counts[i], i};
    used_bits |= counts[i];
  }
  std::span<Symbol> symbols = std::span(room).first(size);
  if (size < kMinRadixSortSymbols) {
    insertion_sort(symbols);
    return symbols;
  }
  std::span<Symbol> sorted = std::span(other_room).first(size);
  for (unsigned shift = 0; shift < 64 && used_bits >> shift != 0; shift += 8) {
    sort_by_digit(symbols, shift, sorted);
    std::swap(symbols, sorted);
  }
  return symbols;
}

// The parents in Huffman's tree of the symbols, which come first, and of the nodes above them in the order in which
// they are made. These become ever heavier, so the two lightest nodes are the heads of two queues. Of equal weights,
// symbols go first: that keeps the tree shallow.
void find_parents(std::span<const Symbol> symbols, Nodes& parents) {
  const std::size_t leaves = symbols.size();
  std::array<std::uint64_t, 2 * kMaxCodeSymbols> weights;
  for (std::size_t i = 0; i < leaves; ++i) weights[i] = symbols[i].count;
  std::size_t leaf = 0;
  std::size_t inner = leaves;
  const auto take_lightest = [&](std::size_t next) {
    const bool take_leaf = leaf < leaves && (inner == next || weights[leaf] <= weights[inner]);
    const std::size_t lightest = take_leaf ? leaf++ : inner++;
    parents[lightest] = static_cast<std::uint32_t>(next);
    return weights[lightest];
  };
  for (std::size_t next = leaves; next < 2 * leaves - 1; ++next) {
    const std::uint64_t weight = take_lightest(next);
    weights[next] = weight + take_lightest(next);
  }
}

// Codes longer than `max_bits` count as that long.
LengthCounts count_lengths(const Nodes& parents, std::size_t leaves, unsigned max_bits) {
  Nodes depths;
  LengthCounts lengths{};
  depths[2 * leaves - 2] = 0;
  for (std::size_t i = 2 * leaves - 2; i-- > 0;) {
    depths[i] = depths[parents[i]] + 1;
    if (i < leaves) ++lengths[std::min(depths[i], max_bits)];
  }
  return lengths;
}

// Shortened codes take more than the whole code space. A code becomes two that are longer by one, and one of the
// longest ones takes the second place: that frees the space of one longest code.
void fit_into_space(LengthCounts& lengths, unsigned max_bits) {
  std::size_t used = 0;
  for (unsigned bits = 1; bits <= max_bits; ++bits) used += lengths[bits] << (max_bits - bits);
  for (std::size_t space = std::size_t{1} << max_bits; used > space; --used) {
    unsigned bits = max_bits - 1;
    while (lengths[bits] == 0) --bits;
    --lengths[bits];
    lengths[bits + 1] += 2;
    --lengths[max_bits];
  }
}

std::uint16_t reversed(unsigned code, unsigned bits) {
  code = (code & 0x5555U) << 1U | (code >> 1U & 0x5555U);
  code = (code & 0x3333U) << 2U | (code >> 2U & 0x3333U);
  code = (code & 0x0F0FU) << 4U | (code >> 4U & 0x0F0FU);
  code = (code & 0x00FFU) << 8U | code >> 8U;
  return static_cast<std::uint16_t>(code >> (16 - bits));
}

}  // namespace

std::vector<std::uint8_t> code_lengths(std::span<const std::uint64_t> counts, unsigned max_bits) {
  SymbolRoom room;
  SymbolRoom other_room;
  const std::span<const Symbol> symbols = by_count(counts, room, other_room);
  std::vector<std::uint8_t> lengths(counts.size(), 0);
  if (symbols.size() == 1) lengths[symbols[0].number] = 1;
  if (symbols.size() < 2) return lengths;

  Nodes parents;
  find_parents(symbols, parents);
  LengthCounts numbers = count_lengths(parents, symbols.size(), max_bits);
  fit_into_space(numbers, max_bits);
  auto symbol = symbols.begin();
  for (unsigned bits = max_bits; bits > 0; --bits) {
    for (std::size_t i = 0; i < numbers[bits]; ++i) lengths[(symbol++)->number] = static_cast<std::uint8_t>(bits);
  }
  return lengths;
}

std::vector<std::uint16_t> canonical_codes(std::span<const std::uint8_t> lengths) {
  std::array<unsigned, kMaxCodeBits + 2> next{};
  for (const std::uint8_t length : lengths) {
    if (length > 0) ++next[length + 1U];
  }
  // next[b] is the number of codes shorter by one and becomes the first code of length b.
  for (unsigned bits = 1; bits < next.size(); ++bits) next[bits] = (next[bits - 1] + next[bits]) << 1U;
  std::vector<std::uint16_t> codes(lengths.size(), 0);
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] > 0) codes[i] = reversed(next[lengths[i]]++, lengths[i]);
  }
  return codes;
}

}  // namespace bertprep
