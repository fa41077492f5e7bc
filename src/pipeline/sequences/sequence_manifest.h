// The manifest of a set of token sequences: docs/formats/sequences.md. Written last.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/recipe.h"
#include "pipeline/sequences/sequences.h"

namespace bertprep {

// The bytes of manifest.json over the finished `parts` of `task`.
std::string sequence_manifest(const SequenceTask& task, const Recipe& recipe, const std::string& vocab_name,
                              const std::map<std::string, SequenceCounts>& splits,
                              std::span<const CompletionRecord> parts);

// The counts of a part or a split as in records and manifests, and back; without the bytes.
Json json_of(const SequenceCounts& counts);
SequenceCounts sequence_counts(const Json& counts);

// The manifest's counts of each split. Throws IoError, FormatError.
std::map<std::string, SequenceCounts> splits_of_set(const std::filesystem::path& folder);
// A set that is unfinished, or another program's.
struct SetWithoutManifest {
  std::filesystem::path folder;
  bool is_ours = false;  // there is a hidden folder of bertprep
};
// MDS and Megatron sets at or below `path`, sorted. Throws IoError.
std::vector<SetWithoutManifest> sets_without_manifest(const std::filesystem::path& path);
// Compares every file with the manifest, and the indexes with the files. Throws IoError, FormatError for an unreadable
// manifest, Cancelled.
VerifyReport verify_sequences(const std::filesystem::path& folder, const Progress& progress);

}  // namespace bertprep
