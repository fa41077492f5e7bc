#include "report/report_sections.h"

#include <algorithm>

#include "base/number_text.h"
#include "io/json.h"
#include "quality/data_counts.h"
#include "report/finding_text.h"
#include "report/html.h"

namespace bertprep {
namespace {

std::string tile(const std::string& name, const std::string& value) {
  return "<div><dt>" + escaped(name) + "</dt><dd>" + escaped(value) + "</dd></div>";
}

// The manifest's figures of the text, if any.
std::string text_tiles(const SetReport& set) {
  if (!set.manifest || set.manifest->data.empty()) return {};
  const Json data = Json::parse(set.manifest->data, "the section of data");
  std::string tiles;
  if (const Json* share = data.find("unknown_share")) tiles += tile("[UNK]", percent(std::stod(share->text())));
  if (const Json* repeated = data.find("duplicate_sentences")) {
    tiles += tile("repeated sentences", percent(std::stod(repeated->at("share").text())));
  }
  return tiles;
}

std::string size_text(const SetReport& set) {
  std::uint64_t bytes = 0;
  for (const FileFigures& file : set.figures.files()) bytes += file.bytes;
  return rounded(static_cast<double>(bytes) / 1e6, bytes < 100'000'000 ? 1 : 0) + " MB";
}

std::string list_item(const char* css_class, std::string_view tag, const std::string& content) {
  return element("li", css_class, element("span", "tag", escaped(tag)) + content) + "\n";
}

std::string paragraph(const std::string& html) {
  return element("p", "", html);
}

// "what is wrong, why; what to do": the last part is separate.
std::string warning_item(const DataWarning& warning) {
  const std::size_t fix = warning.text.rfind("; ");
  if (fix == std::string::npos) return list_item("warn", "data", escaped(warning.text));
  return list_item("warn", "data",
                   escaped(warning.text.substr(0, fix)) +
                       paragraph(element("b", "", "Fix: ") + escaped(warning.text.substr(fix + 2))));
}

// Without the folder, which is above it in the page.
std::string place_in_set(const Finding& finding) {
  std::string place = finding.place.file;
  if (finding.place.row) place += ": row " + std::to_string(*finding.place.row);
  return place.empty() ? place : place + ": ";
}

std::string finding_item(const Finding& finding, const std::filesystem::path& path) {
  const Severity severity = finding.severity();
  std::string head = escaped(place_in_set(finding) + finding.what);
  head += element("span", "soft",
                  " (" + escaped(facts_of(finding.trap).name) +
                      (extent_text(finding).empty() ? "" : "; " + escaped(extent_text(finding))) + ")");
  std::string effects;
  for (const std::string& effect : effect_texts(finding)) effects += paragraph(escaped(effect));
  const bool is_command = fix_text(finding, path).starts_with("bertprep ");
  const std::string fix = escaped(fix_text(finding, path));
  const char* css_class = severity == Severity::kRemark ? "note" : severity <= Severity::kCrashLate ? "warn" : "bad";
  return list_item(css_class, severity_name(severity),
                   head + element("div", "soft", effects) +
                       paragraph(element("b", "", "Fix: ") + (is_command ? element("code", "", fix) : fix)));
}

std::string trainers_text(const Diagnosis& diagnosis) {
  std::string names;
  for (const TrainerKind trainer : diagnosis.trainers) {
    names += (names.empty() ? "" : ", ") + std::string(trainer_name(trainer));
  }
  return names;
}

}  // namespace

std::string set_title(const SetReport& set) {
  if (set.manifest) return set.manifest->dataset + ", rows of " + std::to_string(set.figures.row_length()) + " tokens";
  const auto path = std::filesystem::absolute(set.diagnosis.path).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

std::string head_section(const SetReport& set) {
  const RowFigures& figures = set.figures;
  const std::uint64_t tests = set.diagnosis.files - std::min(set.diagnosis.training_files, set.diagnosis.files);
  std::string tiles = tile("rows", grouped(figures.rows())) +
                      tile("tokens per row", rounded(share_of(figures.tokens(), figures.rows()), 0)) +
                      tile("padding", percent(1 - share_of(figures.tokens(), figures.places())));
  if (figures.max_predictions() > 0) {
    tiles += tile("to predict per row", rounded(share_of(figures.predictions(), figures.rows()), 1));
  }
  if (figures.labelled() > 0) {
    tiles += tile("random next", percent(share_of(figures.random_next(), figures.labelled())));
  }
  tiles += text_tiles(set);
  const bool is_sequences = set.diagnosis.format != SetFormat::kHdf5;  // of any length
  std::string summary = counted(figures.rows(), "row") + " of " + (is_sequences ? "up to " : "") +
                        grouped(figures.row_length()) + " tokens";
  if (figures.max_predictions() > 0) summary += " with up to " + grouped(figures.max_predictions()) + " to predict";
  summary += "; " + counted(set.diagnosis.training_files, "training file");
  if (tests > 0) summary += ", " + grouped(tests) + " other" + (tests == 1 ? "" : "s");
  summary += ", " + size_text(set);
  return element("h1", "", escaped(set_title(set))) + element("div", "soft", escaped(summary)) +
         element("div", "path", escaped(set.diagnosis.path.string())) + element("dl", "tiles", tiles) + "\n";
}

std::string findings_section(const SetReport& set) {
  std::string items;
  if (set.manifest) {
    for (const DataWarning& warning : set.manifest->warnings) items += warning_item(warning);
  }
  for (const Finding& finding : set.diagnosis.findings) items += finding_item(finding, set.diagnosis.path);
  if (set.diagnosis.findings.empty()) {
    items += list_item("ok", "doctor",
                       escaped("Nothing found in any row that would stop or mislead a trainer (" +
                               trainers_text(set.diagnosis) + ")."));
  }
  const bool has_counts = set.manifest && !set.manifest->data.empty();
  if (has_counts && set.manifest->warnings.empty()) {
    items += list_item("ok", "data", "All counts of the run are in range.");
  }
  return element("h2", "", "What to know before training") + element("ul", "said", items);
}

}  // namespace bertprep
