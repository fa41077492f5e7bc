#include "pipeline/records/completion_record.h"

#include <algorithm>
#include <array>
#include <utility>

#include "bertprep/base/error.h"
#include "pipeline/records/recipe.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr auto kNumbers =
    std::to_array<std::pair<const char*, std::uint64_t StageCounts::*>>({{"documents", &StageCounts::documents},
                                                                         {"articles", &StageCounts::articles},
                                                                         {"sentences", &StageCounts::sentences},
                                                                         {"tokens", &StageCounts::tokens},
                                                                         {"rows", &StageCounts::rows},
                                                                         {"sequences", &StageCounts::sequences},
                                                                         {"rejected", &StageCounts::rejected},
                                                                         {"text_bytes", &StageCounts::text_bytes},
                                                                         {"file_bytes", &StageCounts::file_bytes}});

Json to_json(CompletionRecord record, const std::string& task) {
  Json outputs = Json::array();
  for (const OutputEntry& output : record.outputs) {
    Json entry = Json::object();
    entry.add("name", Json::string(output.name))
        .add("bytes", Json::number(output.size_bytes))
        .add("sha256", Json::string(output.sha256));
    if (!output.partial.empty()) entry.add("partial", Json::string(output.partial));
    if (!output.xxh3.empty()) entry.add("xxh3", Json::string(output.xxh3));
    outputs.push(std::move(entry));
  }
  Json json = Json::object();
  if (!task.empty()) json.add("task", Json::string(task));
  json.add("key", Json::string(record.key))
      .add("outputs", std::move(outputs))
      .add("recipe", std::move(record.recipe))
      .add("counts", std::move(record.counts));
  if (!record.plan_key.empty()) json.add("plan-key", Json::string(record.plan_key));
  return json;
}

std::string text_or_nothing(const Json& json, const char* name) {
  const Json* value = json.find(name);
  return value == nullptr ? std::string() : value->text();
}

// A name in the folder, or in one below it: a file elsewhere is not an output, and is not read or renamed.
const std::string& require_inside(const std::string& name) {
  const fs::path path(name);
  const bool climbs = std::find(path.begin(), path.end(), "..") != path.end();
  if (path.is_absolute() || climbs || name.find('\0') != std::string::npos) {
    throw FormatError("'" + name + "' is not a valid output name");
  }
  return name;
}

// The counts that other stages need from a stage's records.
struct NeededCounts {
  std::string_view stage;
  std::vector<const char*> numbers;
  bool has_text_sha256 = false;
};

// Throws FormatError for a record that lacks one: it is unusable, whatever its origin.
void require_counts(const CompletionRecord& record) {
  static const std::vector<NeededCounts> kNeeded = {
      {"extract", {"articles", "rejected"}},
      {"format", {"articles", "sentences", "rejected"}, true},
      {"shard", {"articles", "sentences"}},
      {"instances", {"rows", "documents", "sentences", "tokens"}, true},
      {"vocab", {"articles", "rejected", "pieces"}},
      {kReshardStage, {"rows"}, true},
      {kPieceStage, {"documents", "articles", "rejected", "text_bytes", "has_origins"}, true},
      {kAssignmentStage, {"articles", "sentences", "rejected", "text_bytes", "file_bytes", "has_origins"}, true},
  };
  for (const NeededCounts& needed : kNeeded) {
    if (needed.stage != record.stage()) continue;
    for (const char* name : needed.numbers) static_cast<void>(record.counts.at(name).as_unsigned());
    if (needed.has_text_sha256) static_cast<void>(record.counts.at("text_sha256").text());
  }
}

CompletionRecord from_json(const Json& json) {
  CompletionRecord record;
  record.key = json.at("key").text();
  for (const Json& output : json.at("outputs").items()) {
    record.outputs.push_back({require_inside(output.at("name").text()), output.at("bytes").as_unsigned(),
                              output.at("sha256").text(), require_inside(text_or_nothing(output, "partial")),
                              text_or_nothing(output, "xxh3")});
  }
  record.recipe = json.at("recipe");
  record.counts = json.at("counts");
  record.plan_key = text_or_nothing(json, "plan-key");
  require_counts(record);
  return record;
}

}  // namespace

StageCounts counts_of(const CompletionRecord& record) {
  StageCounts counts;
  for (const auto& [name, member] : kNumbers) {
    if (const Json* number = record.counts.find(name)) counts.*member = number->as_unsigned();
  }
  if (const Json* origins = record.counts.find("has_origins")) counts.has_origins = origins->as_unsigned() != 0;
  if (const Json* text = record.counts.find("text_sha256")) counts.text_sha256 = text->text();
  counts.dropped = {reasons_in(record.counts, kRejectedByReason), reasons_in(record.counts, kLeftOut)};
  return counts;
}

StageReport found_report(const char* stage, const CompletionRecord& record, const std::filesystem::path& rejects) {
  const StageCounts counts = counts_of(record);
  StageReport report{.stage = stage, .tasks_found = record.outputs.size()};
  report.articles = counts.articles;
  report.sentences = counts.sentences;
  report.rejected = counts.rejected;
  report.rejected_by_reason = counts.dropped.rejected;
  report.left_out = counts.dropped.left_out;
  if (counts.rejected != 0) report.rejects_file = rejects;
  for (const OutputEntry& output : record.outputs) report.bytes_out += output.size_bytes;
  return report;
}

std::string_view CompletionRecord::stage() const {
  const Json* stage = recipe.find("stage");
  return stage == nullptr ? std::string_view() : stage->text();
}

bool CompletionRecord::is_of_text() const {
  static constexpr std::array<std::string_view, 4> kStages = {"extract", "format", "shard", "vocab"};
  return std::find(kStages.begin(), kStages.end(), stage()) != kStages.end();
}

CompletionRecord parse_record(std::string_view bytes, const std::string& name) {
  return from_json(parse_sealed(bytes, name));
}

std::string to_text(CompletionRecord record, const std::string& task) {
  return seal(to_json(std::move(record), task));
}

}  // namespace bertprep
