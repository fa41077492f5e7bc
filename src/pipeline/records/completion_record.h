// CompletionRecord: what a finished task leaves behind (docs/formats/completion-record.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/json.h"

namespace bertprep {

struct OutputEntry {
  std::string name;  // file name inside the folder
  std::uint64_t size_bytes = 0;
  std::string sha256;
  // In records of commit(): the name of the unfinished file that becomes this output.
  std::string partial{};
  // In records of text shards: their XXH3. Who reads them compares it, as it takes a tenth of the time of the sha256.
  std::string xxh3{};
};

// What a finished task leaves behind. The task is done when `key` is the one of today's recipe and inputs and the
// outputs are there; times, threads and machines play no part.
struct CompletionRecord {
  std::string key;
  std::vector<OutputEntry> outputs;
  Json recipe = Json::object();  // what decided the bytes
  Json counts = Json::object();  // whole numbers by name: articles, rows, ...
  // In array jobs: the key of the plan and stage, under which a result is found before its own input is known.
  std::string plan_key{};
};

// The stage in the recipe of records that have no other recipe, in array jobs.
inline constexpr const char* kPieceStage = "piece";
inline constexpr const char* kAssignmentStage = "placement";

// Throws IoError, and FormatError when the record is damaged or lacks what its stage has to say.
CompletionRecord read_record(const std::filesystem::path& file);

// The record as it is written: sealed.
std::string to_text(const CompletionRecord& record);

}  // namespace bertprep
