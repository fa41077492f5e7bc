#include "report/row_figures.h"

#include <algorithm>
#include <numeric>

#include "report/shown_row.h"

namespace bertprep {
namespace {

// Larger ids are damage, which doctor reports.
constexpr std::int64_t kMaxIds = std::int64_t{1} << 22U;

void count_one(std::vector<std::uint64_t>& counts, std::size_t value, std::size_t most) {
  if (counts.size() <= most) counts.resize(most + 1);
  ++counts[value];
}

// Tokens among the first `length`.
std::uint64_t count_second(const RowView& row, std::size_t length) {
  if (row.segment_ones) return std::min(row.segment_ones->end, length) - std::min(row.segment_ones->begin, length);
  std::uint64_t second = 0;
  for (const std::int64_t segment : row.segments.first(std::min(length, row.segments.size()))) {
    second += static_cast<std::uint64_t>(segment & 1);  // 0 or 1, else doctor reports it
  }
  return second;
}

constexpr std::uint64_t kAllRows = std::uint64_t{1} << 15U;
constexpr std::uint64_t kSampleInterval = 16;

}  // namespace

void RowFigures::count_id(std::int64_t id) {
  const auto index = static_cast<std::size_t>(id);
  if (id < 0 || id >= kMaxIds) return;
  if (index >= occurrences_.size()) {
    occurrences_.resize(std::max<std::size_t>(2 * index, std::size_t{1} << 16U));
    replacements_.resize(occurrences_.size());
  }
  ++occurrences_[index];
}

void RowFigures::count_ids(std::span<const std::int64_t> ids) {
  std::uint64_t bits = 0;  // at least the largest of them; a negative one is huge
  for (const std::int64_t id : ids) bits |= static_cast<std::uint64_t>(id);
  if (bits < occurrences_.size()) {
    for (const std::int64_t id : ids) ++occurrences_[static_cast<std::size_t>(id)];
    return;
  }
  for (const std::int64_t id : ids) count_id(id);
}

void RowFigures::add(const RowView& row) {
  ++rows_;
  if (!files_.empty()) ++files_.back().rows;
  const std::size_t length = tokens_of(row);
  count_one(lengths_, length, row.ids.size());
  tokens_ += length;
  places_ += row.ids.size();
  count_ids(row.ids.first(length));
  in_second_segment_ += count_second(row, length);
  const std::size_t predicted = add_predictions(row);
  predictions_ += predicted;
  count_one(masks_, predicted, std::max(row.positions.size(), row.labels.size()));
  if (!row.next_sentence) return;
  ++labelled_;
  if (*row.next_sentence == 1 && !files_.empty()) ++files_.back().random_next;
}

std::size_t RowFigures::add_predictions(const RowView& row) {
  const auto end = std::find(row.positions.begin(), row.positions.end(), 0);
  const auto count = static_cast<std::size_t>(end - row.positions.begin());
  if (row.labels.empty() && are_valid(row, count)) {
    count_valid(row, count);
    return count;
  }
  std::size_t predicted = 0;
  for_each_prediction(row, [&](std::int64_t position, std::int64_t original) {
    ++predicted;
    add_prediction(row, position, original);
  });
  return predicted;
}

// Has no branch, as replacements are unpredictable. Most are [MASK], whose counter would stall on its previous update.
void RowFigures::count_valid(const RowView& row, std::size_t count) {
  std::uint64_t usual = 0;
  std::uint64_t different = 0;
  std::size_t there = 0;
  for (std::size_t i = 0; i < count; ++i) {
    there = static_cast<std::size_t>(row.ids[static_cast<std::size_t>(row.positions[i])]);
    const auto original = static_cast<std::size_t>(row.masked_ids[i]);
    const std::uint64_t differs = there != original ? 1 : 0;
    const std::uint64_t is_usual = there == usual_ ? differs : 0;
    occurrences_[original] += differs;
    replacements_[is_usual != 0 ? i : there] += differs - is_usual;
    different += differs;
    usual += is_usual;
  }
  replacements_[usual_] += usual;
  same_ += count - different;
  if (count > 0 && usual == 0) usual_ = there;
}

// Whether the first `count` predictions are in the range of the counters.
bool RowFigures::are_valid(const RowView& row, std::size_t count) const {
  if (count > std::min(row.masked_ids.size(), occurrences_.size())) return false;
  const auto last = static_cast<std::int64_t>(row.ids.size()) - 1;
  std::uint64_t bits = 0;
  std::uint64_t signs = 0;
  for (std::size_t i = 0; i < count; ++i) {
    bits |= static_cast<std::uint64_t>(row.masked_ids[i]);
    signs |= static_cast<std::uint64_t>(row.positions[i] | (last - row.positions[i]));
  }
  if (bits >= occurrences_.size() || signs >> 63U != 0) return false;
  for (std::size_t i = 0; i < count; ++i) {
    bits |= static_cast<std::uint64_t>(row.ids[static_cast<std::size_t>(row.positions[i])]);
  }
  return bits < occurrences_.size();
}

void RowFigures::add_prediction(const RowView& row, std::int64_t position, std::int64_t original) {
  if (position < 0 || static_cast<std::size_t>(position) >= row.ids.size()) return;
  const std::int64_t there = row.ids[static_cast<std::size_t>(position)];
  if (there == original) {
    ++same_;
    return;
  }
  count_id(original);
  if (there >= 0 && static_cast<std::size_t>(there) < replacements_.size()) {
    ++replacements_[static_cast<std::size_t>(there)];
  }
}

std::vector<std::uint64_t> RowFigures::by_id() const {
  std::vector<std::uint64_t> counts = occurrences_;
  for (std::size_t id = 0; id < counts.size(); ++id) counts[id] -= std::min(counts[id], replacements_[id]);
  return counts;
}

std::uint64_t RowFigures::random_next() const {
  std::uint64_t sum = 0;
  for (const FileFigures& file : files_) sum += file.random_next;
  return sum;
}

std::optional<std::int64_t> RowFigures::likely_mask() const {
  const auto most = std::max_element(replacements_.begin(), replacements_.end());
  const std::uint64_t all = std::accumulate(replacements_.begin(), replacements_.end(), std::uint64_t{0});
  if (all == 0 || 2 * *most < all) return std::nullopt;
  return most - replacements_.begin();
}

ReplacementFigures RowFigures::replacements(std::optional<std::int64_t> mask) const {
  ReplacementFigures figures;
  figures.by_same = same_;
  const std::uint64_t all = std::accumulate(replacements_.begin(), replacements_.end(), std::uint64_t{0});
  if (mask && *mask >= 0 && static_cast<std::size_t>(*mask) < replacements_.size()) {
    figures.by_mask = replacements_[static_cast<std::size_t>(*mask)];
  }
  figures.by_other = all - figures.by_mask;
  return figures;
}

MarkupResidue::MarkupResidue(const Vocab& vocab) : vocab_(&vocab), begins_(vocab.size()) {
  using Pieces = std::vector<const char*>;
  for (const auto& [name, pieces] : {std::pair{"[[", Pieces{"[", "["}},
                                     {"]]", Pieces{"]", "]"}},
                                     {"{{", Pieces{"{", "{"}},
                                     {"}}", Pieces{"}", "}"}},
                                     {"{|", Pieces{"{", "|"}},
                                     {"|}", Pieces{"|", "}"}},
                                     {"<ref", Pieces{"<", "ref"}},
                                     {"</", Pieces{"<", "/"}},
                                     {"[http", Pieces{"[", "http"}},
                                     {"==", Pieces{"=", "="}},
                                     {"'''", Pieces{"'", "'", "'"}},
                                     {"thumb|", Pieces{"thumb", "|"}}}) {
    ResidueKind kind{.name = name, .ids = {}, .samples = {}};
    for (const char* piece : pieces) {
      if (const auto id = vocab.find(piece)) kind.ids.push_back(*id);
    }
    if (kind.ids.size() != pieces.size()) continue;
    begins_[static_cast<std::size_t>(kind.ids.front())] = true;
    kinds_.push_back(std::move(kind));
  }
}

void MarkupResidue::begin_file(std::string file) {
  file_ = std::move(file);
  row_ = 0;
}

void MarkupResidue::add(const RowView& row) {
  ++row_;
  if (++seen_ > kAllRows && seen_ % kSampleInterval != 0) return;
  ++looked_at_;
  const auto ids = row.ids.first(tokens_of(row));
  std::uint64_t met = 0;  // a bit for each kind: a row counts once
  for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
    if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= begins_.size()) continue;
    if (!begins_[static_cast<std::size_t>(ids[i])]) continue;
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      const std::vector<std::int64_t>& wanted = kinds_[k].ids;
      const bool is_present = wanted.size() <= ids.size() - i &&
                              std::equal(wanted.begin(), wanted.end(), ids.begin() + static_cast<std::ptrdiff_t>(i));
      if (!is_present || (met >> k & 1U) != 0) continue;
      met |= std::uint64_t{1} << k;
      ++kinds_[k].rows;
      if (kinds_[k].samples.size() < kMaxSamples) kinds_[k].samples.push_back({file_, row_ - 1, around(row, i)});
    }
  }
}

std::string MarkupResidue::around(const RowView& row, std::size_t at) const {
  constexpr std::size_t kBefore = 6;
  constexpr std::size_t kTokensAfter = 14;
  const std::size_t end = std::min(tokens_of(row), at + kTokensAfter);
  std::string text;
  for (std::size_t i = at > kBefore ? at - kBefore : 0; i < end; ++i) {
    const std::string piece = piece_text(row.ids[i], vocab_);
    const bool goes_on = piece.starts_with("##") && piece.size() > 2 && !text.empty();
    text += goes_on ? piece.substr(2) : (text.empty() ? "" : " ") + piece;
  }
  return text;
}

}  // namespace bertprep
