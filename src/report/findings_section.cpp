// Warnings of the run and findings of doctor, each with its remedy.
#include "quality/data_counts.h"
#include "report/finding_text.h"
#include "report/html.h"
#include "report/report_sections.h"

namespace bertprep {
namespace {

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
