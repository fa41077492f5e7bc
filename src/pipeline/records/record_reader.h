// Reads a folder of results and its hidden sibling without changing them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "io/json.h"
#include "pipeline/records/completion_record.h"

namespace bertprep {

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
