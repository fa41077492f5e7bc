#include "quality/sequences/row_boundaries.h"

#include <algorithm>

#include "base/number_text.h"

namespace bertprep {
namespace {

constexpr std::uint64_t kRowsThatTell = 4;

bool is_before(const FindingPlace& left, const FindingPlace& right) {
  return left.file == right.file ? left.row < right.row : left.file < right.file;
}

}  // namespace

void RowBoundaries::meet(MetIds& met, std::int64_t id, bool is_doubled, const FindingPlace& place) {
  Met& entry = met[id];
  if (entry.rows++ == 0) entry.place = place;
  if (is_doubled && entry.doubled++ == 0) entry.doubled_place = place;
}

void RowBoundaries::add(const FindingPlace& place, std::span<const std::int64_t> ids) {
  if (ids.size() < 2) {
    alone_ += ids.size();
    return;
  }
  ++rows_;
  meet(first_, ids[0], ids[1] == ids[0], place);
  meet(last_, ids.back(), ids[ids.size() - 2] == ids.back(), place);
}

std::int64_t RowBoundaries::most_frequent(const MetIds& met) {
  std::int64_t id = -1;
  std::uint64_t rows = 0;
  for (const auto& [candidate, entry] : met) {
    if (entry.rows < rows || (entry.rows == rows && candidate > id)) continue;
    id = candidate;
    rows = entry.rows;
  }
  return id;
}

RowBoundaries::Boundary RowBoundaries::boundary_of(const MetIds& met, std::int64_t id) const {
  Boundary boundary;
  boundary.id = id;
  if (const auto found = met.find(id); found != met.end()) {
    boundary.rows = found->second.rows;
    boundary.doubled = found->second.doubled;
    boundary.doubled_place = found->second.doubled_place;
  }
  boundary.lacking = rows_ - boundary.rows;
  bool is_first = true;
  for (const auto& [other, entry] : met) {
    if (other == id) continue;
    if (is_first || is_before(entry.place, boundary.lacking_place)) boundary.lacking_place = entry.place;
    is_first = false;
  }
  return boundary;
}

void RowBoundaries::report_boundary(const Boundary& boundary, bool is_first, bool is_known, Findings& findings) const {
  const std::string id = std::to_string(boundary.id);
  const std::string end = is_first ? "begin with " : "end with ";
  if (boundary.lacking > 0) {
    const std::string whose = is_known
                                  ? std::string(is_first ? ", the [CLS]" : ", the end of a row") + " of the tokenizer"
                                  : " as the others do";
    findings.add(Trap::kSpecialIds, boundary.lacking_place,
                 counted_of(boundary.lacking, rows_, "row", "doesn't ", "don't ") + end + id + whose);
  }
  if (boundary.doubled > 0) {
    findings.add(Trap::kSpecialIds, boundary.doubled_place,
                 counted(boundary.doubled, "row", is_first ? "begins" : "ends", is_first ? "begin" : "end") + " with " +
                     id + " twice");
  }
}

void RowBoundaries::tell(const Boundary& first, const Boundary& last, const SpecialIds& specials,
                         const BoundaryRules& rules, Findings& findings) const {
  if (rows_ < kRowsThatTell || !rules.wants_boundaries) return;
  const bool has_first = first.id >= 0;
  const bool has_last = last.id >= 0;
  if (has_first) report_boundary(first, true, specials.cls.has_value(), findings);
  if (has_last) report_boundary(last, false, specials.sep || specials.eod, findings);
  if (has_first != has_last) {
    findings.add(Trap::kSpecialIds, {},
                 has_first ? "rows begin with " + std::to_string(first.id) + ", but end with many different ids"
                           : "rows end with " + std::to_string(last.id) + ", but begin with many different ids");
  } else if (!has_first && rules.is_requested) {
    findings.add(Trap::kSpecialIds, {}, "rows begin and end with many different ids: they have no [CLS] and [SEP]");
  }
}

}  // namespace bertprep
