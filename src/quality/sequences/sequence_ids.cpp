#include "quality/sequences/sequence_ids.h"

#include <algorithm>

#include "base/number_text.h"
#include "quality/doctor/set_tokenizer.h"

namespace bertprep {
namespace {

bool is_before(const FindingPlace& left, const FindingPlace& right) {
  return left.file == right.file ? left.row < right.row : left.file < right.file;
}

std::string id_text(std::int64_t id, std::ptrdiff_t index) {
  return "id " + std::to_string(id) + " at [" + std::to_string(index) + "]";
}

}  // namespace

void EndIds::add(std::int64_t id, bool is_doubled, const FindingPlace& place) {
  ++rows_;
  Met& met = by_id_[id];
  if (met.rows++ == 0) met.place = place;
  if (is_doubled && met.doubled++ == 0) met.doubled_place = place;
}

EndIds::Met EndIds::met(std::int64_t id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? Met() : found->second;
}

std::pair<std::int64_t, std::uint64_t> EndIds::most() const {
  std::pair<std::int64_t, std::uint64_t> most{-1, 0};
  for (const auto& [id, met] : by_id_) {
    if (met.rows > most.second || (met.rows == most.second && id < most.first)) most = {id, met.rows};
  }
  return most;
}

FindingPlace EndIds::first_without(std::int64_t id) const {
  const FindingPlace* first = nullptr;
  for (const auto& [other, met] : by_id_) {
    if (other != id && (first == nullptr || is_before(met.place, *first))) first = &met.place;
  }
  return first == nullptr ? FindingPlace() : *first;
}

SequenceIds::SequenceIds(const DoctorOptions& options, const std::filesystem::path& folder, Findings& findings)
    : tokenizer_(tokenizer_for(options, folder)),
      pieces_(options.model_pieces != 0 ? options.model_pieces : static_cast<std::int64_t>(tokenizer_.pieces)),
      findings_(findings) {}

void SequenceIds::add(const FindingPlace& place, std::span<const std::int64_t> ids) {
  if (ids.empty()) return;
  tokens_ += ids.size();
  const auto [least, most] = std::minmax_element(ids.begin(), ids.end());
  if (*least < 0) findings_.add(Trap("negative-ids"), place, id_text(*least, least - ids.begin()));
  if (pieces_ > 0 && *most >= pieces_) {
    findings_.add(Trap("vocabulary-too-small"), place,
                  id_text(*most, most - ids.begin()) + ", the vocabulary has " +
                      grouped(static_cast<std::uint64_t>(pieces_)) + " pieces");
  }
  largest_ = std::max(largest_, *most);
  const auto needed = static_cast<std::size_t>(std::clamp<std::int64_t>(*most, 0, kMaxIds)) + 1;
  if (counts_.size() < needed) counts_.resize(needed);
  for (const std::int64_t id : ids) {
    if (id >= 0 && id <= kMaxIds) ++counts_[static_cast<std::size_t>(id)];
  }
  if (ids.size() == 1) {
    ++alone_;
    return;
  }
  first_.add(ids[0], ids[1] == ids[0], place);
  last_.add(ids.back(), ids[ids.size() - 2] == ids.back(), place);
}

void SequenceIds::finish(const std::string& type) {
  constexpr std::int64_t kIdsOfUint16 = 65536;
  findings_.fill(Trap("vocabulary-too-small"), "{largest}",
                 grouped(static_cast<std::uint64_t>(std::max(largest_ + 1, pieces_))));
  if (type == "uint16" && pieces_ > kIdsOfUint16) {
    findings_.add(Trap("narrow-type"), {},
                  "ids are uint16, but the vocabulary has " + grouped(static_cast<std::uint64_t>(pieces_)) + " pieces");
  }
  if (tokenizer_.line_breaks.empty()) return;
  std::uint64_t breaks = 0;
  for (const TokenId id : tokenizer_.line_breaks) breaks += occurrences(id);
  find_lost_breaks(breaks, tokens_, findings_);
}

// The tokenizer's id at this end of rows, else that of most rows.
std::optional<std::int64_t> SequenceIds::boundary(const EndIds& ends, std::optional<TokenId> known) const {
  if (known) return *known;
  const auto [id, rows] = ends.most();
  // An id that is as frequent within rows is a word, not a boundary.
  const bool is_boundary = id >= 0 && 2 * rows >= ends.rows() && occurrences(id) <= 2 * rows + alone_;
  return is_boundary ? std::optional(id) : std::nullopt;
}

void SequenceIds::report_boundary(const EndIds& ends, std::int64_t id, bool is_known) const {
  const bool is_first = &ends == &first_;
  const EndIds::Met met = ends.met(id);
  if (met.rows < ends.rows()) {
    const std::string whose = is_known
                                  ? std::string(is_first ? ", the [CLS]" : ", the end of a row") + " of the tokenizer"
                                  : " as the others do";
    findings_.add(Trap("special-ids"), ends.first_without(id),
                  counted_of(ends.rows() - met.rows, ends.rows(), "row", "doesn't ", "don't ") +
                      (is_first ? "begin with " : "end with ") + std::to_string(id) + whose);
  }
  if (met.doubled > 0) {
    findings_.add(Trap("special-ids"), met.doubled_place,
                  counted(met.doubled, "row", is_first ? "begins" : "ends", is_first ? "begin" : "end") + " with " +
                      std::to_string(id) + " twice");
  }
}

void SequenceIds::find_boundary_traps(bool is_requested) const {
  constexpr std::uint64_t kRowsThatTell = 4;
  if (first_.rows() < kRowsThatTell) return;
  const auto known_last = specials().sep ? specials().sep : specials().eod;
  const auto first = boundary(first_, specials().cls);
  const auto last = boundary(last_, known_last);
  if (first) report_boundary(first_, *first, specials().cls.has_value());
  if (last) report_boundary(last_, *last, known_last.has_value());
  if (first.has_value() != last.has_value()) {
    findings_.add(Trap("special-ids"), {},
                  first ? "rows begin with " + std::to_string(*first) + ", but end with many different ids"
                        : "rows end with " + std::to_string(*last) + ", but begin with many different ids");
  } else if (!first && is_requested) {
    findings_.add(Trap("special-ids"), {}, "rows begin and end with many different ids: they have no [CLS] and [SEP]");
  }
}

}  // namespace bertprep
