// The inputs of a set of token sequences: which split each belongs to, and what the part made from it is called.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/sequences/sequences.h"

namespace bertprep {

struct SequenceUnit {
  std::vector<std::filesystem::path> inputs{};  // one, or all of a split
  std::string split;                            // "train"
  // Text shards have a sentence in each line, and an empty line behind each article; else an article is a line.
  bool is_text_shard = false;
  std::uint64_t number = 0;  // of the text shard, or of the input
  bool is_whole_split = false;
  std::vector<TextShardFacts> known{};  // of each input, or empty
  std::string task() const;             // "train-00003", of a whole split "train"
  // digest_text() of the inputs, which are not read if they are known.
  std::string text_sha256() const;
  std::string folder() const;  // "00003", as Streaming's merge_index() wants it
};

// One for each input of `task`, in the order of splits and numbers. `options`: its own, resolved. Throws ConfigError
// for no input, for two that would make the same part, for formatted files beside text shards, and for text shards
// where they don't serve. Splits of one formatted file each are whole splits in MDS, where they need no folders for
// parts.
std::vector<SequenceUnit> sequence_units(const SequenceTask& task, const SequenceOptions& options);

// One for each split of `units`.
std::vector<SequenceUnit> whole_splits(std::span<const SequenceUnit> units);

}  // namespace bertprep
