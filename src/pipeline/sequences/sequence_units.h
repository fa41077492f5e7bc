// The inputs of a set of token sequences: the split of each, and the name of the part made from it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "pipeline/records/resumption.h"
#include "pipeline/sequences/sequences.h"

namespace bertprep {

// What an input holds.
enum class UnitText {
  kArticles,   // one per line: a formatted file
  kSentences,  // one per line, an empty line after each article: a text shard
  kDocuments   // as SourceOptions::format says: text shards of documents as they are, and whatever users have
};

struct SequenceUnit {
  std::vector<std::filesystem::path> inputs{};  // one, or all of a split
  std::string split;                            // "train"
  UnitText text = UnitText::kArticles;
  bool is_text_shard = false;  // it is named as one of a dataset's, NAME_training_3
  std::uint64_t number = 0;    // number of the text shard, or of the input
  bool is_whole_split = false;
  std::vector<TextShardFacts> known{};  // of each input, or empty
  std::string task() const;             // "train-00003", for a whole split "train"
  // digest_text() of the inputs, of documents over the digests of the files. They are not read if already known.
  std::string text_sha256() const;
  std::string folder() const;  // "00003", as required by Streaming's merge_index()
};

// Whether an input of `task` holds documents.
bool has_documents(const SequenceTask& task);

// One for each input of `task`, in the order of splits and numbers. `options`: its resolved options. Throws ConfigError
// without inputs, for two that would make the same part, for formatted files together with text shards, and for text
// shards if the options don't allow them. In MDS, a split of a single formatted file is a whole split without folders
// for parts.
std::vector<SequenceUnit> sequence_units(const SequenceTask& task, const SequenceOptions& options);

// One for each split of `units`.
std::vector<SequenceUnit> whole_splits(std::span<const SequenceUnit> units);

}  // namespace bertprep
