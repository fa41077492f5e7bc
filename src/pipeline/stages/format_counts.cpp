#include "pipeline/stages/format_counts.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/number_text.h"
#include "pipeline/records/completion_record.h"

namespace bertprep {
namespace {

constexpr const char* kTemplates = "templates";

Json share_json(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return {};
  return Json::number_text(decimal(share_of(part, whole), 4));
}

// The most frequent first, equally frequent ones by name.
template <typename Map, typename UsesOf>
std::vector<const typename Map::value_type*> by_uses(const Map& map, UsesOf uses_of) {
  std::vector<const typename Map::value_type*> entries;
  for (const auto& entry : map) entries.push_back(&entry);
  std::stable_sort(entries.begin(), entries.end(),
                   [&](const auto* left, const auto* right) { return uses_of(left->second) > uses_of(right->second); });
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

bool is_any(const TemplateCounts& templates) {
  const auto is_any_use = [](const TemplateCounts::Uses& uses) { return uses.shown + uses.silent + uses.dropped != 0; };
  return is_any_use(templates.in_text) || is_any_use(templates.elsewhere) || templates.holes != 0;
}

}  // namespace

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

void FormatCounts::add(FormatCounts&& later) {
  documents += later.documents;
  articles += later.articles;
  left_out.add(later.left_out);
  source_bytes += later.source_bytes;
  reported_bytes += later.reported_bytes;
  text_bytes += later.text_bytes;
  sentences += later.sentences;
  line_pairs += later.line_pairs;
  has_origins = has_origins || later.has_origins;
  templates.add(std::move(later.templates));
}

void add_formatted(const FormatCounts& counts, const ReasonCounts& rejected, Json& record_counts) {
  record_counts.add("articles", Json::number(counts.articles))
      .add("sentences", Json::number(counts.sentences))
      .add("rejected", Json::number(rejected.total()))
      .add(kLeftOut, json_of(counts.left_out))
      .add(kRejectedByReason, json_of(rejected))
      .add("text_bytes", Json::number(counts.text_bytes))
      .add("text_sha256", Json::string(counts.text_sha256));
  if (counts.line_pairs.all == 0) return;
  record_counts.add("line_pairs", Json::number(counts.line_pairs.all))
      .add("open_lines", Json::number(counts.line_pairs.open()));
}

Json json_of(const FormatCounts& counts) {
  Json json = Json::object()
                  .add("documents", Json::number(counts.documents))
                  .add("articles", Json::number(counts.articles))
                  .add("sentences", Json::number(counts.sentences))
                  .add(kLeftOut, json_of(counts.left_out))
                  .add("source_bytes", Json::number(counts.source_bytes))
                  .add("reported_bytes", Json::number(counts.reported_bytes))
                  .add("text_bytes", Json::number(counts.text_bytes))
                  .add("text_sha256", Json::string(counts.text_sha256))
                  .add("file_sha256", Json::string(counts.file_sha256))
                  .add("has_origins", Json::number(counts.has_origins ? 1 : 0))
                  .add("line_pairs", Json::number(counts.line_pairs.all))
                  .add("wrapped_lines", Json::number(counts.line_pairs.wrapped))
                  .add("ended_lines", Json::number(counts.line_pairs.ended));
  if (is_any(counts.templates)) json.add(kTemplates, json_of(counts.templates));
  return json;
}

FormatCounts format_counts_in(const Json& json) {
  const auto count = [&](const char* name) { return json.at(name).as_unsigned(); };
  FormatCounts counts{.documents = count("documents"),
                      .articles = count("articles"),
                      .left_out = reasons_in(json, kLeftOut),
                      .source_bytes = count("source_bytes"),
                      .reported_bytes = count("reported_bytes"),
                      .text_bytes = count("text_bytes"),
                      .sentences = count("sentences"),
                      .line_pairs = {count("line_pairs"), count("wrapped_lines"), count("ended_lines")},
                      .has_origins = count("has_origins") != 0,
                      .templates = {},
                      .text_sha256 = json.at("text_sha256").text(),
                      .file_sha256 = json.at("file_sha256").text()};
  if (const Json* templates = json.find(kTemplates)) counts.templates = template_counts_in(*templates);
  return counts;
}

}  // namespace bertprep
