// The options that made the set, and sample rows.
#include <span>
#include <vector>

#include "base/number_text.h"
#include "report/html.h"
#include "report/report_sections.h"
#include "report/shown_row.h"

namespace bertprep {
namespace {

std::string facts_card(std::span<const std::string> rows) {
  std::string all;
  for (const std::string& row : rows) all += row;
  return element("div", "card", element("table", "facts", all));
}

}  // namespace

std::string recipe_section(const SetReport& set) {
  if (!set.manifest) return {};
  std::vector<std::string> facts;
  for (const auto& [name, value] : set.manifest->recipe) facts.push_back(fact_row(name, value));
  if (set.manifest->vocabulary) {
    const ManifestVocab& vocab = *set.manifest->vocabulary;
    facts.push_back(fact_row("vocabulary", vocab.name + ", " + counted(vocab.size, "piece")));
  }
  for (const auto& [reason, times] : set.manifest->rejected_by_reason.by_reason()) {
    facts.push_back(fact_row("rejected: " + reason, grouped(times)));
  }
  const std::size_t half = (facts.size() + 1) / 2;
  return element("h2", "", "Recipe") +
         element("div", "grid halves",
                 facts_card(std::span(facts).first(half)) + facts_card(std::span(facts).subspan(half)));
}

std::string samples_section(const SetReport& set) {
  if (set.samples.empty()) return {};
  std::string rows;
  for (const SampleRow& sample : set.samples) {
    rows += row_html(sample.shown, sample.file + ": row " + grouped(sample.row));
  }
  return element("h2", "", "Rows to read") + row_key_html() + rows;
}

}  // namespace bertprep
