#include "pipeline/records/record_reader.h"

#include <algorithm>
#include <vector>

#include "bertprep/base/error.h"
#include "io/record_files.h"
#include "io/state_folder.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/recipe.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

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
