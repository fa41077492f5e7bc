// Token sequences: text -> ids without masks or labels, in the formats of trainers that make these themselves.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/pipeline/stages.h"
#include "bertprep/token/text_encoder.h"

namespace bertprep {

// A trainer, whose choices are those of all options that were left open.
enum class SequencePreset {
  kNone,
  kModernbert,
  kModernbertStreaming,
  kBioclinical,
  kEurobert,
  kNeobert,
  kGpt2,
  kMegatronBert,
  kMegatronGpt
};
enum class SequenceFormat { kAuto, kMds, kMegatron, kHdf5 };
enum class IdChoice { kAuto, kUint16, kInt32, kInt64 };
enum class LongArticles { kAuto, kChunks, kTruncate, kSentences };
enum class SequenceLevel { kAuto, kSentence, kDocument };
enum class EndOfArticle { kAuto, kYes, kNo };
// What a stream of blocks is made of: articles, or lines of plain text with their line feeds, blank ones as empty rows,
// as HuggingFace's `wikitext` has them.
enum class SequenceSource { kArticles, kLines };
enum class LastBlock { kDrop, kKeep };

// The split of training shards and formatted files.
inline constexpr const char* kTrainSplit = "train";

struct SequenceOptions {
  SequencePreset preset = SequencePreset::kNone;
  SequenceFormat format = SequenceFormat::kAuto;
  std::string column{};            // of MDS and HDF5; empty: the preset's, else input_ids
  IdChoice ids = IdChoice::kAuto;  // kAuto: uint16 if the vocabulary fits, else int32
  std::int64_t max_tokens = 0;     // 0: the preset's, else 1024
  LongArticles long_articles = LongArticles::kAuto;
  std::int64_t min_tokens = 1;
  std::int64_t blocks = 0;  // tokens of a block; 0: the preset's, else rows
  std::int64_t stride = 0;  // from the begin of a block to that of the next; 0: all of a block
  LastBlock last_block = LastBlock::kDrop;
  std::int64_t group_articles = 0;
  SequenceSource source = SequenceSource::kArticles;
  TextMending detokenize = TextMending::kNone;  // of lines
  EndOfArticle end_of_article = EndOfArticle::kAuto;
  SequenceLevel level = SequenceLevel::kAuto;  // of Megatron
  std::string size_limit = "64M";              // of an MDS shard; "none"
  std::string compression = "none";            // of MDS: "zstd:3"
  std::string hashes = "sha256";               // of MDS, ordered: "sha1,xxh64"
  std::string test_split{};                    // of test shards; empty: the preset's, else validation

  static const OptionGroup kGroup;
  static std::span<const Field<SequenceOptions>> fields();
};

// "mds", as in --to.
std::string_view name_of(SequenceFormat format);

// `options` with the choices of its preset in place of what was left open. Throws ConfigError for options out of range
// or that contradict each other.
SequenceOptions resolve_sequences(SequenceOptions options);

// What a run makes in place of rows (PipelineOptions::sequences).
struct SequenceRun {
  SequenceOptions options;
  EncoderOptions encoder{};
};

// At the peak of a part made from so much text, an upper estimate; `id_bytes`: of an id as it is stored.
std::uint64_t sequence_memory_bytes(std::uint64_t text_bytes, const SequenceOptions& resolved, std::uint64_t id_bytes);
// Of an id of this type; kAuto: as most vocabularies have it.
std::uint64_t sequence_id_bytes(IdChoice ids);

struct SequenceTask {
  // Text shards (NAME_training_I.txt, NAME_test_I.txt), or formatted files, which are for training.
  std::vector<std::filesystem::path> inputs;
  // Formatted files for the split of text shards for testing.
  std::vector<std::filesystem::path> validation{};
  std::string name;  // of the dataset, in file names
  std::filesystem::path folder;
  SequenceOptions options;
  EncoderOptions encoder{};
  // One for each input if already known: inputs whose parts all exist are then not read, and may be gone. Else empty.
  std::vector<TextShardFacts> known{};
  // For the manifest, as InstanceTask's.
  std::vector<std::pair<std::string, std::string>> provenance{};
  DroppedDocuments dropped{};
  // A task of an array writes the parts of every count-th input and no index. The same call without an array finds the
  // parts and completes the set.
  std::uint64_t array_task = 0;
  std::uint64_t array_count = 1;
};

// What came out, over all calls that made it.
struct SequenceCounts {
  std::uint64_t articles = 0;
  std::uint64_t sequences = 0;  // rows, blocks; of Megatron sentences or documents
  std::uint64_t tokens = 0;     // in sequences
  std::uint64_t dropped = 0;    // tokens in none: ends that were truncated, too short or behind the last block
  std::uint64_t bytes = 0;

  SequenceCounts& operator+=(const SequenceCounts& other);
};
struct SequenceReport {
  SequenceOptions options;                       // resolved
  std::map<std::string, SequenceCounts> splits;  // by name
  StageReport stage;                             // "sequences"
};

// Output: docs/formats/sequences.md. The bytes depend on text, vocabulary and options alone. A part of the set is
// published whole with its completion record, and the index, which makes a set of them, last; so a call that was killed
// is finished by the same call. Memory for each thread: a shard of MDS twice, or an input's ids for HDF5.
//
// Throws IoError, Cancelled; ConfigError for options and inputs that don't fit together; FormatError for an id that
// does not fit, a split without a sequence, and an output folder that holds other things.
SequenceReport make_sequences(const SequenceTask& task, const PipelineOptions& options, Progress& progress);

}  // namespace bertprep
