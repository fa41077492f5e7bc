#include "report/markup_residue.h"

#include <algorithm>
#include <utility>

#include "report/shown_row.h"

namespace bertprep {
namespace {

constexpr std::uint64_t kAllRows = std::uint64_t{1} << 15U;
constexpr std::uint64_t kSampleInterval = 16;

}  // namespace

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
      take(kinds_[k], row, i);
    }
  }
}

void MarkupResidue::take(ResidueKind& kind, const RowView& row, std::size_t at) {
  ++kind.rows;
  if (kind.samples.size() < kMaxSamples) kind.samples.push_back({file_, row_ - 1, around(row, at)});
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
