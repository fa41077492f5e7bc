// CompletionRecord: the record of a finished task (docs/formats/completion-record.md), and what the records of a folder
// say, which are read without changing it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/pipeline/stages.h"
#include "bertprep/shard/manifest.h"
#include "io/json.h"

namespace bertprep {

struct OutputEntry {
  std::string name;  // file name inside the folder
  std::uint64_t size_bytes = 0;
  std::string sha256;
  // In records of commit(): the name of the unfinished file that becomes this output.
  std::string partial{};
  // In records of text shards: their XXH3. Readers check it, as it takes a tenth of the time of sha256.
  std::string xxh3{};
};

// The record of a finished task. The task is done if `key` is that of the current recipe and inputs and the outputs
// exist; times, threads and machines don't matter.
struct CompletionRecord {
  std::string key;
  std::vector<OutputEntry> outputs;
  Json recipe = Json::object();  // what determined the bytes
  Json counts = Json::object();  // integers by name: articles, rows, ...
  // In array jobs: the key of the plan and stage, which identifies a result before its own input is known.
  std::string plan_key{};

  // The stage in `recipe`; empty if it names none.
  std::string_view stage() const;
  // Whether its outputs are extracted or formatted articles, text shards or a vocabulary: no manifest vouches for them.
  bool is_of_text() const;
};

// In array jobs, the stage in the recipe of records without a recipe.
inline constexpr const char* kPieceStage = "piece";
inline constexpr const char* kAssignmentStage = "placement";

// `name` is for the error. Throws FormatError if the record is damaged or lacks members that its stage requires.
CompletionRecord parse_record(std::string_view bytes, const std::string& name);

// The record as written: sealed. `task`, unless empty, is named in it, for a journal.
std::string to_text(CompletionRecord record, const std::string& task = {});

// Names of ReasonCounts in records.
inline constexpr const char* kRejectedByReason = "rejected_by_reason";
inline constexpr const char* kLeftOut = "left_out";  // documents that are not articles

// StageCounts: what a stage has counted, as its completion record has it (docs/formats/completion-record.md).
//
// 0 or empty: the stage does not count this.
struct StageCounts {
  std::uint64_t documents = 0;
  std::uint64_t articles = 0;
  std::uint64_t sentences = 0;
  std::uint64_t tokens = 0;
  std::uint64_t rows = 0;
  std::uint64_t sequences = 0;
  std::uint64_t rejected = 0;
  std::uint64_t text_bytes = 0;
  std::uint64_t file_bytes = 0;
  bool has_origins = false;
  DroppedDocuments dropped{};
  std::string text_sha256{};  // of the text, decompressed
};

StageCounts counts_of(const CompletionRecord& record);

// The report of a stage whose result an earlier call has made. `rejects` lists its rejected records, if there are any.
StageReport found_report(const char* stage, const CompletionRecord& record, const std::filesystem::path& rejects = {});

// Whether an output has the size that its record says. One that is about to get its name counts if the hidden folder,
// `state`, is given.
enum class OutputState { kPresent, kMissing, kOtherSize };
OutputState output_state(const std::filesystem::path& folder, const OutputEntry& output,
                         const std::filesystem::path& state = {});

// The record of one task of `folder`; nothing if there is none. Throws FormatError, IoError.
std::optional<CompletionRecord> load_record(const std::filesystem::path& folder, const std::string& task);
// The same, and nothing if it can't be read.
std::optional<CompletionRecord> find_record(const std::filesystem::path& folder, const std::string& task);

// The records of all shards of a folder, summed up.
struct RecordedShards {
  std::uint64_t done = 0;
  std::uint64_t outdated = 0;  // made by another recipe, or from another text
  std::uint64_t damaged = 0;   // missing, of another size, or with an unreadable record
  std::string first_damage;
  std::uint64_t articles = 0;
  std::uint64_t sentences = 0;
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  std::string stage;          // of the last one
  std::uint64_t seq_len = 0;  // likewise, of rows
};

struct ExpectedShards {
  const Json* recipe = nullptr;                    // null: any
  std::map<std::string, std::string> text_sha256;  // of text shards by task, if known
};
// The same for the parts of a set of token sequences, made by `recipe` if it is given; rows are sequences.
RecordedShards sum_sequence_records(const std::filesystem::path& folder, const std::filesystem::path& state,
                                    const Json* recipe);
RecordedShards sum_shard_records(const std::filesystem::path& folder, const std::filesystem::path& state,
                                 const ExpectedShards& expected);

}  // namespace bertprep
