#include "pipeline/stages/template_report.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/input_file.h"
#include "io/pending_file.h"
#include "pipeline/stages/corpus_pieces.h"

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

Json share_json(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return {};
  return Json::number_text(decimal(share_of(part, whole), 4));
}

// The most frequent first, equally frequent ones by name.
template <typename Map, typename UsesOf>
std::vector<const typename Map::value_type*> by_uses(const Map& map, UsesOf uses_of) {
  std::vector<const typename Map::value_type*> entries;
  for (const auto& entry : map) entries.push_back(&entry);
  std::ranges::stable_sort(entries, std::ranges::greater{}, [&](const auto* entry) { return uses_of(entry->second); });
  return entries;
}

Json json_of_uses(const TemplateCounts::Uses& uses) {
  Json dropped = Json::array();
  for (const auto* entry : by_uses(uses.dropped_by_name, [](const DroppedTemplate& one) { return one.uses; })) {
    dropped.push(Json::object()
                     .add("name", Json::string(entry->first))
                     .add("uses", Json::number(entry->second.uses))
                     .add("page", Json::string(entry->second.page))
                     .add("sample", Json::string(entry->second.sample)));
  }
  Json silent = Json::array();
  for (const auto* entry : by_uses(uses.silent_by_name, [](std::uint64_t count) { return count; })) {
    silent.push(Json::object().add("name", Json::string(entry->first)).add("uses", Json::number(entry->second)));
  }
  return Json::object()
      .add("shown", Json::number(uses.shown))
      .add("dropped", Json::number(uses.dropped))
      .add("silent", Json::number(uses.silent))
      .add("share_shown", share_json(uses.shown, uses.shown + uses.dropped))
      .add("dropped_templates", std::move(dropped))
      .add("silent_templates", std::move(silent));
}

TemplateCounts::Uses uses_in(const Json& json) {
  TemplateCounts::Uses uses{.shown = json.at("shown").as_unsigned(),
                            .silent = json.at("silent").as_unsigned(),
                            .dropped = json.at("dropped").as_unsigned(),
                            .dropped_by_name = {},
                            .silent_by_name = {}};
  for (const Json& one : json.at("dropped_templates").items()) {
    uses.dropped_by_name[one.at("name").text()] = {one.at("uses").as_unsigned(), one.at("page").text(),
                                                   one.at("sample").text()};
  }
  for (const Json& one : json.at("silent_templates").items()) {
    uses.silent_by_name[one.at("name").text()] = one.at("uses").as_unsigned();
  }
  return uses;
}

Json json_of_losses(const TemplateCounts& templates) {
  Json samples = Json::array();
  for (const LostSentence& one : templates.lost) {
    samples.push(Json::object().add("page", Json::string(one.page)).add("text", Json::string(one.text)));
  }
  return Json::object()
      .add("sentences", Json::number(templates.holes))
      .add("left_out", Json::number(templates.left_out))
      .add("samples", std::move(samples));
}

}  // namespace

fs::path template_report_of(std::span<const CorpusPart> parts) {
  for (const CorpusPart& part : parts) {
    if (part.wiki.report.empty() || !is_mediawiki(part)) continue;
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

Json json_of(const TemplateCounts& templates) {
  return Json::object()
      .add("in_text", json_of_uses(templates.in_text))
      .add("elsewhere", json_of_uses(templates.elsewhere))
      .add("holes", json_of_losses(templates));
}

TemplateCounts template_counts_in(const Json& json) {
  TemplateCounts templates;
  templates.in_text = uses_in(json.at("in_text"));
  templates.elsewhere = uses_in(json.at("elsewhere"));
  const Json& losses = json.at("holes");
  templates.holes = losses.at("sentences").as_unsigned();
  templates.left_out = losses.at("left_out").as_unsigned();
  for (const Json& one : losses.at("samples").items()) {
    templates.lost.push_back({one.at("page").text(), one.at("text").text()});
  }
  return templates;
}

}  // namespace bertprep
