// RowBoundaries: checks the ids with which rows begin and end, and whether they are [CLS] and [SEP].
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "bertprep/token/text_encoder.h"
#include "quality/doctor/findings.h"

namespace bertprep {

struct BoundaryRules {
  bool wants_boundaries = false;  // readers of these rows expect a boundary at both ends
  bool is_requested = false;      // the user named one of them, so missing ones are also a fault
};

class RowBoundaries {
 public:
  // Add rows in order.
  void add(const FindingPlace& place, std::span<const std::int64_t> ids);
  // `occurrences` returns how often an id occurs in all rows.
  template <class Occurrences>
  void finish(const SpecialIds& specials, const BoundaryRules& rules, Occurrences&& occurrences, Findings& findings) {
    const Boundary first = boundary(first_, specials.cls, occurrences);
    const Boundary last = boundary(last_, specials.sep ? specials.sep : specials.eod, occurrences);
    tell(first, last, specials, rules, findings);
  }

 private:
  struct Met {
    std::uint64_t rows = 0;
    std::uint64_t doubled = 0;
    FindingPlace place{};  // of the first row
    FindingPlace doubled_place{};
  };
  using MetIds = std::unordered_map<std::int64_t, Met>;
  struct Boundary {
    std::int64_t id = -1;
    std::uint64_t rows = 0;  // with it; 0: no such id
    std::uint64_t lacking = 0;
    std::uint64_t doubled = 0;
    FindingPlace lacking_place{};
    FindingPlace doubled_place{};
  };

  static void meet(MetIds& met, std::int64_t id, bool is_doubled, const FindingPlace& place);
  // The id at this end of most rows, or the tokenizer's.
  template <class Occurrences>
  Boundary boundary(const MetIds& met, std::optional<TokenId> known, Occurrences&& occurrences) const {
    const std::int64_t id = known ? *known : most_frequent(met);
    const auto found = met.find(id);
    const std::uint64_t rows = found == met.end() ? 0 : found->second.rows;
    // An id that is as frequent within rows is a word, not a boundary.
    const bool is_boundary = known || (2 * rows >= rows_ && occurrences(id) <= 2 * rows + alone_);
    return is_boundary ? boundary_of(met, id) : Boundary{};
  }
  static std::int64_t most_frequent(const MetIds& met);
  Boundary boundary_of(const MetIds& met, std::int64_t id) const;
  void tell(const Boundary& first, const Boundary& last, const SpecialIds& specials, const BoundaryRules& rules,
            Findings& findings) const;
  void report_boundary(const Boundary& boundary, bool is_first, bool is_known, Findings& findings) const;

  MetIds first_;
  MetIds last_;
  std::uint64_t rows_ = 0;   // with two ids or more
  std::uint64_t alone_ = 0;  // with one id
};

}  // namespace bertprep
