#include "summary/summary.h"

#include <algorithm>
#include <cstdio>

#include "base/fields.h"
#include "base/number_text.h"
#include "console/console.h"
#include "console/json_event.h"
#include "io/json.h"
#include "quality/data_counts.h"

namespace bertprep::cli {
namespace {

constexpr double kNamedScript = 0.01;

double number(const Json& json, const char* name) {
  return std::stod(json.at(name).text());
}

// "Latin 98 %, Han 2 %"
std::string scripts_text(const Json& scripts) {
  std::vector<std::pair<double, std::string>> shares;
  for (const auto& [name, script] : scripts.members()) {
    if (const double share = number(script, "share"); share >= kNamedScript) shares.emplace_back(share, name);
  }
  std::stable_sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (const auto& [share, name] : shares) text += (text.empty() ? "" : ", ") + name + " " + percent(share);
  return text;
}

std::string text_line(const Json& data) {
  std::string line = "text: " + percent(number(data, "unknown_share")) + " [UNK]";
  if (data.find("pieces_per_word") != nullptr) {
    line += ", " + rounded(number(data, "pieces_per_word"), 2) + " pieces per word";
  }
  line += "; repeated: " + percent(number(data.at("duplicate_articles"), "share")) + " of articles, " +
          percent(number(data.at("duplicate_sentences"), "share")) + " of sentences";
  const std::string scripts = scripts_text(data.at("scripts"));
  return scripts.empty() ? line : line + "; " + scripts;
}

std::string rows_line(const Json& data) {
  const Json& rows = data.at("rows");
  const Json* cut = rows.find("cut_share");
  return "rows: " + rounded(number(rows, "tokens_per_row"), 0) + " tokens and " +
         percent(number(rows, "padding_share")) + " padding, " + rounded(number(rows, "masks_per_row"), 1) +
         " masks, " + percent(number(rows, "random_next_share")) + " random next, " +
         percent(number(rows, "test_share")) + " for testing" +
         (cut == nullptr ? "" : ", " + percent(number(rows, "cut_share")) + " of the tokens cut off");
}

std::string shards_line(const Json& data) {
  const Json& training = data.at("training_shards");
  if (training.find("rows") == nullptr) return {};
  const auto count = [&](const char* name) { return grouped(training.at(name).as_unsigned()); };
  const std::string shards = "training shards: " + count("shards") + ", with ";
  if (count("least_rows") == count("most_rows"))
    return shards + counted(training.at("least_rows").as_unsigned(), "row");
  return shards + count("least_rows") + " to " + count("most_rows") + " rows (median " + count("median_rows") + ")";
}

void print_event(const DatasetReport& report) {
  JsonEvent("data").text("folder", report.folder.string()).json("data", report.data).print();
  for (const DataWarning& warning : report.warnings) {
    JsonEvent("warning")
        .text("folder", report.folder.string())
        .text("about", warning.about)
        .text("text", warning.text)
        .print();
  }
}

}  // namespace

void print_data(std::span<const StageReport> stages, Console& console) {
  std::string text;  // the same for all phases
  std::vector<std::string> warned;
  for (const StageReport& stage : stages) {
    for (const DatasetReport& report : stage.data) {
      if (report.data.empty()) continue;
      const Json data = Json::parse(report.data, "the section of data");
      if (const std::string line = text_line(data); line != text) console.say(text = line);
      console.say(rows_line(data));
      if (const std::string line = shards_line(data); !line.empty()) console.say(line);
      for (const DataWarning& warning : report.warnings) {
        if (std::find(warned.begin(), warned.end(), warning.text) != warned.end()) continue;
        warned.push_back(warning.text);
        console.say("warning: " + warning.text);
      }
      if (console.options().json) print_event(report);
    }
  }
}

void add_strict_data(CLI::App& app, bool& strict) {
  app.add_flag("--strict-data", strict, "end with status 4 if a property of the data is out of its range")
      ->group(std::string(title_of(OptionGroup::kOutput)));
}

int status_for_data(std::span<const StageReport> stages, bool strict, int status) {
  if (!strict || status != kDone) return status;
  for (const StageReport& stage : stages) {
    for (const DatasetReport& report : stage.data) {
      if (report.warnings.empty()) continue;
      std::fprintf(stderr, "bertprep: %s: %s, and --strict-data makes it an error\n", report.folder.string().c_str(),
                   report.warnings.front().text.c_str());
      return kDataOutOfRange;
    }
  }
  return status;
}

}  // namespace bertprep::cli
