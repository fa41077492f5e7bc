// CompletionRecord: the record of a finished task (docs/formats/completion-record.md).
#pragma once

#include <cstdint>
#include <filesystem>
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

}  // namespace bertprep
