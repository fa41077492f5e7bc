// Time and memory of the run that made the set, from its events.
#include <algorithm>

#include "base/number_text.h"
#include "io/json.h"
#include "quality/data_counts.h"
#include "report/html.h"
#include "report/report_sections.h"

namespace bertprep {
namespace {

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
