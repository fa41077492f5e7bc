#include "pipeline/records/completion_record.h"

#include <algorithm>
#include <array>
#include <utility>

#include "bertprep/base/error.h"
#include "io/record_files.h"
#include "io/state_folder.h"
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

constexpr const char* kShardEnding = ".hdf5";

void note_damage(RecordedShards& shards, const std::string& what) {
  if (shards.damaged++ == 0) shards.first_damage = what;
}

bool is_expected(const CompletionRecord& record, const std::string& task, const ExpectedShards& expected,
                 const std::string& recipe) {
  if (expected.recipe != nullptr && record.recipe.dump_line() != recipe) return false;
  const auto known = expected.text_sha256.find(task);
  return known == expected.text_sha256.end() || known->second == counts_of(record).text_sha256;
}

// Whether outputs have rows: not the tokenizer, an index of other parts, or a part that will be merged.
bool holds_sequences(const CompletionRecord& record) {
  if (record.outputs.empty() || record.stage() != kSequenceStage) return false;
  const std::string& name = record.outputs.front().name;
  return name.ends_with(kShardEnding) || name.ends_with(".mds") || name.ends_with(".mds.zstd") ||
         (name.ends_with(".bin") && !name.starts_with("parts/"));
}

// The text of redistributed rows is not counted.
void add_record(const fs::path& folder, const fs::path& state, const CompletionRecord& record, RecordedShards& shards) {
  const StageCounts counts = counts_of(record);
  const bool is_rows = record.stage() != kSequenceStage;
  const bool has_text = record.stage() != kReshardStage;
  const std::uint64_t articles = has_text ? (is_rows ? counts.documents : counts.articles) : 0;
  const std::uint64_t sentences = is_rows && has_text ? counts.sentences : 0;
  const std::uint64_t rows = is_rows ? counts.rows : counts.sequences;
  shards.stage = record.stage();
  if (const Json* length = record.recipe.find("seq-len")) {
    shards.seq_len = Json::number_text(length->text()).as_unsigned();
  }
  for (const OutputEntry& output : record.outputs) {
    switch (output_state(folder, output, state)) {
      case OutputState::kMissing:
        return note_damage(shards, output.name + " is lost");
      case OutputState::kOtherSize:
        return note_damage(shards, output.name + " does not have the size it was written with");
      case OutputState::kPresent:
        shards.bytes += output.size_bytes;
    }
  }
  ++shards.done;
  shards.articles += articles;
  shards.sentences += sentences;
  shards.rows += rows;
}

// Sums over the records for which `counts` and `expected` are true.
template <class Counts, class Expected>
RecordedShards sum_up(const fs::path& folder, const fs::path& state, const Counts& counts, const Expected& expected) {
  RecordedShards shards;
  RecordFiles records(state);
  for (const std::string& task : records.tasks()) {
    const fs::path file = records.file_of(task);
    try {
      const auto bytes = records.read(task);
      if (!bytes) continue;  // it is being replaced
      const CompletionRecord record = parse_record(*bytes, file.string());
      if (!counts(record)) continue;
      if (expected(record, task)) {
        add_record(folder, state, record, shards);
      } else {
        ++shards.outdated;
      }
    } catch (const Error&) {
      if (records.read(task)) note_damage(shards, "the record " + file.string() + " can't be read");
    }
  }
  return shards;
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

OutputState output_state(const fs::path& folder, const OutputEntry& output, const fs::path& state) {
  std::error_code error;
  std::uintmax_t size = fs::file_size(folder / output.name, error);
  if (error && !state.empty() && !output.partial.empty())
    size = fs::file_size(state / "partial" / output.partial, error);
  if (error) return OutputState::kMissing;
  return size == output.size_bytes ? OutputState::kPresent : OutputState::kOtherSize;
}

std::optional<CompletionRecord> load_record(const fs::path& folder, const std::string& task) {
  const auto state = find_state_folder(folder);
  if (!state) return std::nullopt;
  RecordFiles records(*state);
  const auto bytes = records.read(task);
  return bytes ? std::optional(parse_record(*bytes, records.file_of(task).string())) : std::nullopt;
}

std::optional<CompletionRecord> find_record(const fs::path& folder, const std::string& task) {
  try {
    return load_record(folder, task);
  } catch (const Error&) {
    return std::nullopt;
  }
}

RecordedShards sum_shard_records(const fs::path& folder, const fs::path& state, const ExpectedShards& expected) {
  const std::string recipe = expected.recipe == nullptr ? std::string() : expected.recipe->dump_line();
  return sum_up(
      folder, state,
      [](const CompletionRecord& record) {
        return !record.outputs.empty() && record.outputs.front().name.ends_with(kShardEnding) &&
               record.stage() != kSequenceStage;
      },
      [&](const CompletionRecord& record, const std::string& task) {
        return is_expected(record, task, expected, recipe);
      });
}

RecordedShards sum_sequence_records(const fs::path& folder, const fs::path& state, const Json* recipe) {
  const std::string wanted = recipe == nullptr ? std::string() : recipe->dump_line();
  return sum_up(folder, state, holds_sequences, [&](const CompletionRecord& record, const std::string&) {
    return recipe == nullptr || record.recipe.dump_line() == wanted;
  });
}

}  // namespace bertprep
