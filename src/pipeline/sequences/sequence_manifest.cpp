#include "pipeline/sequences/sequence_manifest.h"

#include <algorithm>
#include <system_error>

#include "base/number_text.h"
#include "bertprep/shard/manifest.h"
#include "io/digest.h"
#include "io/folder.h"
#include "io/record_files.h"
#include "io/state_folder.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/reject_file.h"
#include "quality/sequences/any_doctor.h"
#include "shard/manifest_sources.h"
#include "shard/mds/mds_index.h"
#include "shard/megatron/megatron_set.h"
#include "shard/token_set.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kManifestVersion = 1;

void add_reasons(const char* name, const ReasonCounts& reasons, Json& manifest) {
  if (!reasons.is_empty()) manifest.add(name, json_of(reasons));
}

Json load_manifest(const fs::path& folder) {
  const fs::path file = folder / Manifest::kFileName;
  return read_sealed(file);
}

// What is wrong with a file in the manifest; empty: nothing.
std::string fault_of(const fs::path& file, const Json& entry, const Progress& progress) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  if (error) return "is missing";
  if (size != entry.at("bytes").as_unsigned()) {
    return "has " + counted(size, "byte") + " instead of " + grouped(entry.at("bytes").as_unsigned());
  }
  if (sha256_of_file(file, progress) != entry.at("sha256").text()) return "differs from what was written";
  return {};
}

// Reports missing shards of an MDS index.
void check_mds_index(const fs::path& index, VerifyReport& report) {
  const Json json = read_json(index);
  for (const Json& shard : json.at("shards").items()) {
    const Json& zip = shard.at("zip_data");
    const Json& data = zip.kind() == Json::Kind::Null ? shard.at("raw_data") : zip;
    const fs::path file = index.parent_path() / data.at("basename").text();
    std::error_code error;
    if (fs::file_size(file, error) == data.at("bytes").as_unsigned()) continue;
    report.problems.push_back(index.string() + ": names " + file.string() +
                              ", which is missing or has another size; run the "
                              "command of the set again");
  }
}

// Folders around a set may have the records of other results.
bool has_parts_on_record(const fs::path& folder) {
  const auto state = find_state_folder(folder);
  if (!state) return false;
  return std::ranges::any_of(RecordFiles(*state).tasks(),
                             [](const std::string& task) { return is_split_name(task.substr(0, task.find('-'))); });
}

}  // namespace

Json json_of(const SequenceCounts& counts) {
  Json json = Json::object()
                  .add("articles", Json::number(counts.articles))
                  .add("sequences", Json::number(counts.sequences))
                  .add("tokens", Json::number(counts.tokens))
                  .add("dropped_tokens", Json::number(counts.dropped));
  if (counts.text_bytes != 0) {
    json.add("text_bytes", Json::number(counts.text_bytes)).add("line_breaks", Json::number(counts.line_breaks));
  }
  add_reasons(kRejectedByReason, counts.documents.rejected, json);
  add_reasons(kLeftOut, counts.documents.left_out, json);
  return json;
}

SequenceCounts sequence_counts(const Json& counts) {
  const auto count = [&](const char* name) { return counts.at(name).as_unsigned(); };
  const auto count_if_any = [&](const char* name) {
    const Json* found = counts.find(name);
    return found == nullptr ? 0 : found->as_unsigned();
  };
  return {.articles = count("articles"),
          .sequences = count("sequences"),
          .tokens = count("tokens"),
          .dropped = count("dropped_tokens"),
          .text_bytes = count_if_any("text_bytes"),
          .line_breaks = count_if_any("line_breaks"),
          .documents = {reasons_in(counts, kRejectedByReason), reasons_in(counts, kLeftOut)}};
}

std::string sequence_manifest(const SequenceTask& task, const Recipe& recipe, const std::string& vocab_name,
                              const std::map<std::string, SequenceCounts>& splits,
                              std::span<const CompletionRecord> parts) {
  Json files = Json::array();
  for (const CompletionRecord& part : parts) {
    for (const OutputEntry& output : part.outputs) {
      files.push(Json::object()
                     .add("name", Json::string(output.name))
                     .add("bytes", Json::number(output.size_bytes))
                     .add("sha256", Json::string(output.sha256)));
    }
  }
  Json made = recipe.json();
  for (const auto& [name, value] : task.provenance) made.add(name, Json::string(value));
  Json counts = Json::object();
  DroppedDocuments dropped = task.dropped;
  for (const auto& [split, one] : splits) {
    counts.add(split, json_of(one).add("bytes", Json::number(one.bytes)));
    dropped.rejected.add(one.documents.rejected);
    dropped.left_out.add(one.documents.left_out);
  }
  Json manifest = Json::object();
  manifest.add("format", Json::string(TokenSet::kFormat))
      .add("version", Json::number(kManifestVersion))
      .add("dataset", Json::string(task.name))
      .add("vocabulary", Json::string(vocab_name))
      .add("recipe", std::move(made))
      .add("splits", std::move(counts));
  if (!task.sources.empty()) manifest.add("sources", json_of(task.sources));
  add_reasons("rejected", dropped.rejected, manifest);
  add_reasons("left_out", dropped.left_out, manifest);
  return seal(std::move(manifest).add("files", std::move(files)));
}

std::vector<SetWithoutManifest> sets_without_manifest(const fs::path& path) {
  constexpr int kLevels = 3;  // DIR/SPLIT/PART
  std::map<fs::path, bool> found;
  const auto add = [&](const fs::path& place) {
    fs::path own;
    fs::path folder = place;
    for (int level = 0; level < kLevels && !folder.empty(); ++level, folder = folder.parent_path()) {
      if (is_sequence_set(folder)) return;
      if (own.empty() && has_parts_on_record(folder)) own = folder;
    }
    found[own.empty() ? place : own] = !own.empty();
  };
  const SequenceSets sets = find_sequence_sets(path);
  for (const fs::path& folder : sets.mds) add(folder);
  for (const fs::path& prefix : sets.megatron) add(folder_of(prefix));
  std::vector<SetWithoutManifest> list;
  for (const auto& [folder, is_ours] : found) list.push_back({folder, is_ours});
  return list;
}

std::map<std::string, SequenceCounts> splits_of_set(const fs::path& folder) {
  std::map<std::string, SequenceCounts> splits;
  const Json manifest = load_manifest(folder);
  for (const auto& [split, counts] : manifest.at("splits").members()) {
    splits[split] = sequence_counts(counts);
    splits[split].bytes = counts.at("bytes").as_unsigned();
  }
  return splits;
}

VerifyReport verify_sequences(const fs::path& folder, const Progress& progress) {
  const Json manifest = load_manifest(folder);
  VerifyReport report;
  for (const Json& entry : manifest.at("files").items()) {
    const fs::path file = folder / entry.at("name").text();
    ++report.shards;
    report.bytes += entry.at("bytes").as_unsigned();
    const std::string fault = fault_of(file, entry, progress);
    if (fault.empty()) continue;
    report.problems.push_back(file.string() + ": " + fault + "; run the command of the set again, with `force`");
  }
  for (const auto& [split, counts] : manifest.at("splits").members()) {
    report.rows += counts.at("sequences").as_unsigned();
    const fs::path index = folder / split / kMdsIndexName;
    std::error_code error;
    if (fs::is_regular_file(index, error)) {
      check_mds_index(index, report);
    } else if (manifest.at("recipe").at("to").text() == "mds") {
      report.problems.push_back(index.string() + ": is missing; run the command of the set again");
    }
  }
  return report;
}

}  // namespace bertprep
