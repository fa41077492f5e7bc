#include "pipeline/stages/template_report.h"

#include <algorithm>
#include <string>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/input_file.h"
#include "io/pending_file.h"
#include "pipeline/stages/format_counts.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kKind = "bertprep extract: templates";
constexpr const char* kReport = "report_sha256";  // among the counts of a record

bool lies_in(const fs::path& file, const fs::path& folder) {
  const fs::path inner = fs::weakly_canonical(fs::absolute(file));
  fs::path outer = fs::weakly_canonical(fs::absolute(folder));
  if (!outer.has_filename()) outer = outer.parent_path();
  return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

}  // namespace

fs::path template_report_of(std::span<const CorpusPart> parts) {
  for (const CorpusPart& part : parts) {
    if (part.wiki.report.empty() || resolve_format(part.inputs, part.source) != InputFormat::kMediawiki) continue;
    return part.wiki.report;
  }
  return {};
}

void check_template_report(const fs::path& report, const InputGuard& inputs, std::span<const fs::path> results,
                           bool replace) {
  if (report.empty()) return;
  inputs.refuse_file(report);
  for (const fs::path& result : results) {
    if (!lies_in(report, result)) continue;
    throw ConfigError("the report would be among the results", report, "choose a place outside " + result.string());
  }
  if (!fs::exists(fs::symlink_status(report))) return;
  if (!fs::is_regular_file(report)) throw FormatError("is not a file", report, "give `report` another name");
  if (replace || read_file(report).find(kKind) != std::string::npos) return;
  throw FormatError("exists, and bertprep did not make it", report,
                    "give --force to replace it, or --report another name");
}

bool is_recorded_report(const fs::path& file, const Json& record_counts) {
  if (file.empty()) return true;
  const Json* digest = record_counts.find(kReport);
  return digest != nullptr && fs::is_regular_file(file) && sha256_of_file(file) == digest->text();
}

void write_template_report(const fs::path& file, const TemplateCounts& templates, Json& record_counts) {
  if (file.empty()) return;
  Json report = Json::object().add("kind", Json::string(kKind));
  const Json counts = json_of(templates);
  for (const auto& [name, value] : counts.members()) report.add(name, value);
  const std::string bytes = report.dump();
  const fs::path path = fs::absolute(file);
  publish_durably(path, path.parent_path(), bytes);
  record_counts.add(kReport, Json::string(sha256_of(bytes)));
}

}  // namespace bertprep
