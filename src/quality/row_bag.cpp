#include "quality/row_bag.h"

#include <algorithm>

namespace bertprep {
namespace {

// The finalizer of MurmurHash3 (Appleby, public domain): every bit of the input affects every bit of the result.
std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 33U)) * 0xff51afd7ed558ccdULL;
  value = (value ^ (value >> 33U)) * 0xc4ceb9fe1a85ec53ULL;
  return value ^ (value >> 33U);
}

bool is_kept(std::uint64_t digest, unsigned halvings) {
  return (digest & ((std::uint64_t{1} << halvings) - 1)) == 0;
}

}  // namespace

void RowBag::add(std::uint64_t digest) {
  ++rows_;
  sum_ += digest;
  mixed_sum_ += mixed(digest);
  if (!is_kept(digest, halvings_)) return;
  digests_.push_back(digest);
  while (digests_.size() > max_digests_ && halvings_ < 40) halve();
}

void RowBag::halve() {
  ++halvings_;
  std::erase_if(digests_, [&](std::uint64_t digest) { return !is_kept(digest, halvings_); });
}

RowBag::Common common_rows(RowBag& left, RowBag& right) {
  while (left.halvings_ < right.halvings_) left.halve();
  while (right.halvings_ < left.halvings_) right.halve();
  for (RowBag* bag : {&left, &right}) std::sort(bag->digests_.begin(), bag->digests_.end());
  RowBag::Common common{0, std::max(left.digests_.size(), right.digests_.size()), left.one_in()};
  auto a = left.digests_.begin();
  auto b = right.digests_.begin();
  while (a != left.digests_.end() && b != right.digests_.end()) {
    if (*a == *b) ++common.rows;
    const std::uint64_t least = std::min(*a, *b);
    const bool step_a = *a == least;
    const bool step_b = *b == least;
    if (step_a) ++a;
    if (step_b) ++b;
  }
  return common;
}

}  // namespace bertprep
