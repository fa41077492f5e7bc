// How the set was made: its options, time and memory of the run from its events; and sample rows.
#include <algorithm>
#include <span>
#include <vector>

#include "base/number_text.h"
#include "io/json.h"
#include "quality/data_counts.h"
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

std::string megabytes(double bytes) {
  return rounded(bytes / 1e6, bytes < 1e5 ? 3 : bytes < 1e7 ? 1 : 0) + " MB";
}

std::string facts_of(const StageFigures& stage) {
  if (stage.is_found) return "done by an earlier run";
  std::string text = rounded(stage.seconds, stage.seconds < 10 ? 2 : 0) + " s";
  if (stage.seconds > 0) text += ", " + megabytes(static_cast<double>(stage.bytes_in) / stage.seconds) + " a second";
  text += ", " + megabytes(static_cast<double>(stage.bytes_out)) + " written";
  if (stage.peak_bytes != 0) text += ", up to " + megabytes(static_cast<double>(stage.peak_bytes)) + " of memory";
  return text;
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

std::vector<StageFigures> stages_in(std::string_view events) {
  std::vector<StageFigures> stages;
  while (!events.empty()) {
    const std::size_t end = std::min(events.find('\n'), events.size());
    const std::string_view line = events.substr(0, end);
    events.remove_prefix(std::min(end + 1, events.size()));
    if (line.find("\"event\":\"stage\"") == std::string_view::npos) continue;
    try {
      const Json event = Json::parse(line, {});
      const Json* peak = event.find("peak_bytes");
      StageFigures stage{.stage = event.at("stage").text(),
                         .seconds = std::stod(event.at("seconds").text()),
                         .bytes_in = event.at("bytes_in").as_unsigned(),
                         .bytes_out = event.at("bytes_out").as_unsigned(),
                         .peak_bytes = peak == nullptr ? 0 : peak->as_unsigned(),
                         .is_found = event.at("tasks_made").as_unsigned() == 0};
      std::erase_if(stages, [&](const StageFigures& other) { return other.stage == stage.stage; });
      stages.push_back(std::move(stage));
    } catch (const std::exception&) {
      continue;  // a line truncated when the program was killed
    }
  }
  return stages;
}

std::string stages_section(const SetReport& set) {
  if (set.stages.empty()) return {};
  std::string rows;
  for (const StageFigures& stage : set.stages) rows += fact_row(stage.stage, facts_of(stage));
  return element("h2", "", "Time and memory") + element("div", "card", element("table", "facts", rows)) + "\n";
}

}  // namespace bertprep
