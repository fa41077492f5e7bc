#include "quality/sequences/row_borders.h"

#include <algorithm>

#include "base/number_text.h"

namespace bertprep {
namespace {

constexpr std::uint64_t kRowsThatTell = 4;

bool is_before(const FindingPlace& left, const FindingPlace& right) {
  return left.file == right.file ? left.row < right.row : left.file < right.file;
}

}  // namespace

void RowBorders::meet(MetIds& met, std::int64_t id, bool is_doubled, const FindingPlace& place) {
  Met& entry = met[id];
  if (entry.rows++ == 0) entry.place = place;
  if (is_doubled && entry.doubled++ == 0) entry.doubled_place = place;
}

void RowBorders::add(const FindingPlace& place, std::span<const std::int64_t> ids) {
  if (ids.size() < 2) {
    alone_ += ids.size();
    return;
  }
  ++rows_;
  meet(first_, ids[0], ids[1] == ids[0], place);
  meet(last_, ids.back(), ids[ids.size() - 2] == ids.back(), place);
}

std::int64_t RowBorders::most_frequent(const MetIds& met) {
  std::int64_t id = -1;
  std::uint64_t rows = 0;
  for (const auto& [candidate, entry] : met) {
    if (entry.rows < rows || (entry.rows == rows && candidate > id)) continue;
    id = candidate;
    rows = entry.rows;
  }
  return id;
}

RowBorders::Border RowBorders::border_of(const MetIds& met, std::int64_t id) const {
  Border border;
  border.id = id;
  if (const auto found = met.find(id); found != met.end()) {
    border.rows = found->second.rows;
    border.doubled = found->second.doubled;
    border.doubled_place = found->second.doubled_place;
  }
  border.lacking = rows_ - border.rows;
  bool is_first = true;
  for (const auto& [other, entry] : met) {
    if (other == id) continue;
    if (is_first || is_before(entry.place, border.lacking_place)) border.lacking_place = entry.place;
    is_first = false;
  }
  return border;
}

void RowBorders::report_border(const Border& border, bool is_first, bool is_known, Findings& findings) const {
  const std::string id = std::to_string(border.id);
  const std::string end = is_first ? "begin with " : "end with ";
  if (border.lacking > 0) {
    const std::string whose = is_known
                                  ? std::string(is_first ? ", the [CLS]" : ", the end of a row") + " of the tokenizer"
                                  : " as the others do";
    findings.add(Trap::kSpecialIds, border.lacking_place,
                 grouped(border.lacking) + " of " + counted(rows_, "row") + " don't " + end + id + whose);
  }
  if (border.doubled > 0) {
    findings.add(Trap::kSpecialIds, border.doubled_place, counted(border.doubled, "row") + " " + end + id + " twice");
  }
}

void RowBorders::tell(const Border& first, const Border& last, const SpecialIds& specials, const BorderRules& rules,
                      Findings& findings) const {
  if (rows_ < kRowsThatTell || !rules.wants_borders) return;
  const bool has_first = first.id >= 0;
  const bool has_last = last.id >= 0;
  if (has_first) report_border(first, true, specials.cls.has_value(), findings);
  if (has_last) report_border(last, false, specials.sep || specials.eod, findings);
  if (has_first != has_last) {
    findings.add(Trap::kSpecialIds, {},
                 has_first ? "rows begin with " + std::to_string(first.id) + ", but end with many different ids"
                           : "rows end with " + std::to_string(last.id) + ", but begin with many different ids");
  } else if (!has_first && rules.is_requested) {
    findings.add(Trap::kSpecialIds, {}, "rows begin and end with many different ids: they have no [CLS] and [SEP]");
  }
}

}  // namespace bertprep
