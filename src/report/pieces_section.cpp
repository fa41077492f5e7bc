// How the vocabulary is used: frequent pieces, pieces that never occur.
#include <algorithm>

#include "base/number_text.h"
#include "quality/data_counts.h"
#include "report/charts.h"
#include "report/html.h"
#include "report/report_sections.h"

namespace bertprep {
namespace {

constexpr std::size_t kFrequent = 12;
constexpr std::size_t kNever = 60;

bool is_special(const SetReport& set, std::int64_t id) {
  if (!set.vocab) return false;
  return id == set.vocab->pad() || id == set.vocab->cls() || id == set.vocab->sep() || id == set.vocab->mask();
}

// Pieces that never occur in text: special and reserved ones.
bool is_reserved(std::string_view piece) {
  return piece.starts_with('[') && piece.ends_with(']');
}

using PieceCounts = std::vector<std::uint64_t>;  // by id

std::vector<std::int64_t> used_ids(const SetReport& set, const PieceCounts& counts) {
  std::vector<std::int64_t> ids;
  for (std::size_t id = 0; id < counts.size(); ++id) {
    if (counts[id] > 0 && !is_special(set, static_cast<std::int64_t>(id))) ids.push_back(static_cast<std::int64_t>(id));
  }
  std::stable_sort(ids.begin(), ids.end(), [&](std::int64_t left, std::int64_t right) {
    return counts[static_cast<std::size_t>(left)] > counts[static_cast<std::size_t>(right)];
  });
  return ids;
}

std::string frequent_chart(const SetReport& set, const PieceCounts& counts, const std::vector<std::int64_t>& ids) {
  const Vocab* vocab = set.vocab ? &*set.vocab : nullptr;
  std::vector<BarItem> items;
  for (const std::int64_t id : std::span(ids).first(std::min(ids.size(), kFrequent))) {
    const std::uint64_t times = counts[static_cast<std::size_t>(id)];
    items.push_back({piece_text(id, vocab), static_cast<double>(times), grouped(times)});
  }
  return bar_list({set.vocab ? "Most frequent pieces" : "Most frequent ids",
                   set.vocab ? "of the text before it was masked" : "with a vocabulary, they are words"},
                  items);
}

std::string usage_chart(const PieceCounts& by_id, const std::vector<std::int64_t>& ids) {
  std::vector<std::uint64_t> counts;
  for (const std::int64_t id : ids) counts.push_back(by_id[static_cast<std::size_t>(id)]);
  const auto rare =
      static_cast<std::uint64_t>(std::count_if(counts.begin(), counts.end(), [](auto c) { return c < 100; }));
  return rank_chart({"How often pieces occur",
                     counted(counts.size(), "piece") + " occur" + (counts.size() == 1 ? "s" : "") + ", " +
                         grouped(rare) + " of them fewer than 100 times",
                     "pieces, the most frequent first", "times"},
                    counts);
}

// Spread over the whole vocabulary, as its beginning is often a list of characters.
std::string never_card(const SetReport& set, const PieceCounts& counts) {
  if (!set.vocab) return {};
  std::vector<std::string_view> never;
  for (const TokenId id : set.vocab->ids()) {
    const auto index = static_cast<std::size_t>(id);
    const bool is_used = index < counts.size() && counts[index] > 0;
    if (!is_used && !is_reserved(set.vocab->piece(id))) never.push_back(set.vocab->piece(id));
  }
  std::string words;
  const std::size_t shown = std::min(never.size(), kNever);
  for (std::size_t i = 0; i < shown; ++i) {
    words += (i > 0 ? " " : "") + element("bdi", "", escaped(never[i * never.size() / shown]));
  }
  const double share = static_cast<double>(never.size()) / static_cast<double>(set.vocab->size());
  return element("figure", "card",
                 element("figcaption", "",
                         element("b", "", "Pieces that never occur") +
                             element("span", "",
                                     escaped(grouped(never.size()) + " of " + grouped(set.vocab->size()) + ", " +
                                             percent(share) + (shown < never.size() ? "; some of them" : "")))) +
                     words) +
         "\n";
}

}  // namespace

std::string pieces_section(const SetReport& set) {
  const PieceCounts counts = set.figures.by_id();
  const std::vector<std::int64_t> ids = used_ids(set, counts);
  if (ids.empty()) return {};
  return element("h2", "", "Vocabulary") +
         element("div", "grid", usage_chart(counts, ids) + frequent_chart(set, counts, ids) + never_card(set, counts));
}

}  // namespace bertprep
