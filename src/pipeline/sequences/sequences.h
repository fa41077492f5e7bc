// Token sequences: text -> ids without masks or labels, in the formats of trainers that add these themselves.
#pragma once

#include "bertprep/token/text_encoder.h"
#include "pipeline/records/resumption.h"

namespace bertprep {

// A trainer, whose settings apply to all options left open.
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
// The source of a stream of blocks: articles, or lines of plain text with their line feeds, blank ones as empty rows,
// as in HuggingFace's `wikitext`.
enum class SequenceSource { kArticles, kLines };
enum class LastBlock { kDrop, kKeep };
// How the text of a document is kept: as it is; or as one line, as BERT's rows have it. kAuto: as it is if it is there.
enum class ArticleText { kAuto, kAsIs, kOneLine };

// What becomes of CR LF and CR in the text of a document that is kept as it is.
enum class LineEnds { kKeep, kLf };

// The split of training shards and formatted files.
inline constexpr const char* kTrainSplit = "train";

struct SequenceOptions {
  SequencePreset preset = SequencePreset::kNone;
  SequenceFormat format = SequenceFormat::kAuto;
  std::string column{};            // for MDS and HDF5; empty: the preset's, else input_ids
  IdChoice ids = IdChoice::kAuto;  // kAuto: uint16 if the vocabulary fits, else int32
  std::int64_t max_tokens = 0;     // 0: the preset's, else 1024
  ArticleText text = ArticleText::kAuto;
  LineEnds line_ends = LineEnds::kKeep;
  LongArticles long_articles = LongArticles::kAuto;
  std::int64_t min_tokens = 1;
  std::int64_t blocks = 0;  // tokens of a block; 0: the preset's, else rows
  std::int64_t stride = 0;  // distance between the starts of blocks; 0: the size of a block
  LastBlock last_block = LastBlock::kDrop;
  std::int64_t group_articles = 0;
  SequenceSource source = SequenceSource::kArticles;
  Detokenization detokenize = Detokenization::kNone;  // for lines
  EndOfArticle end_of_article = EndOfArticle::kAuto;
  SequenceLevel level = SequenceLevel::kAuto;  // for Megatron
  std::string size_limit = "64M";              // of an MDS shard; or "none"
  std::string compression = "none";            // for MDS: "zstd:3"
  std::string hashes = "sha256";               // for MDS, ordered: "sha1,xxh64"
  std::string test_split{};                    // for test shards; empty: the preset's, else validation

  static FieldList<SequenceOptions> fields();
};

// "mds", as in --to.
std::string_view name_of(SequenceFormat format);

// `options` with the preset's settings for options left open. Throws ConfigError for options that are out of range or
// contradictory.
SequenceOptions resolve_sequences(SequenceOptions options);

// Whether the rows or sets depend on where sentences end. Throws as resolve_sequences().
bool needs_sentences(const SequenceOptions& options);

// What a run makes instead of rows (PipelineOptions::sequences).
struct SequenceRun {
  SequenceOptions options;
  EncoderOptions encoder{};
};

// Whether a run with these options keeps the text of documents as it is, for sequences.
bool keeps_text(const PipelineOptions& options);

// Makes a run with these options read `part` as it makes its text.
void keep_documents(const PipelineOptions& options, CorpusPart& part);

// An upper estimate of peak memory for a part made from `text_bytes` of text; `id_bytes`: of a stored id.
std::uint64_t sequence_memory_bytes(std::uint64_t text_bytes, const SequenceOptions& resolved, std::uint64_t id_bytes);
// Bytes of an id of this type; for kAuto, as with most vocabularies.
std::uint64_t sequence_id_bytes(IdChoice ids);

struct SequenceTask {
  // Text shards (NAME_training_I.txt, NAME_test_I.txt, or .jsonl); or files of documents in a format of `source`, or
  // formatted files, which are for training.
  std::vector<std::filesystem::path> inputs;
  // Formatted files or documents for the same split as test shards.
  std::vector<std::filesystem::path> validation{};
  SourceOptions source{};  // for documents
  std::string name;        // of the dataset, in file names
  std::filesystem::path folder;
  SequenceOptions options;
  EncoderOptions encoder{};
  // One for each input if already known: inputs whose parts all exist are then not read, and may be missing. Else
  // empty.
  std::vector<TextShardFacts> known{};
  // For the manifest, as InstanceStep's.
  std::vector<std::pair<std::string, std::string>> provenance{};
  DroppedDocuments dropped{};
  std::vector<ManifestSource> sources{};
  // A task of an array writes the parts of every count-th input and no index. The same call without an array finds the
  // parts and completes the set.
  std::uint64_t array_task = 0;
  std::uint64_t array_count = 1;
};

// The result, over all calls that made it.
struct SequenceCounts {
  std::uint64_t articles = 0;
  std::uint64_t sequences = 0;  // rows or blocks; for Megatron, sentences or documents
  std::uint64_t tokens = 0;     // in sequences
  std::uint64_t dropped = 0;    // tokens in none: truncated ends, ends that are too short, or after the last block
  std::uint64_t bytes = 0;
  std::uint64_t text_bytes = 0;   // of documents as they are
  std::uint64_t line_breaks = 0;  // in them
  DroppedDocuments documents{};

  SequenceCounts& operator+=(const SequenceCounts& other);
};
struct SequenceReport {
  SequenceOptions options;                       // resolved
  std::map<std::string, SequenceCounts> splits;  // by name
  StageReport stage;                             // "sequences"
};

// Output: docs/formats/sequences.md. The bytes depend only on text, vocabulary and options. Each part is published
// atomically with its completion record, and the index, which combines the parts, last; so a killed call resumes when
// repeated. Memory per thread: an MDS shard twice, or the file for HDF5.
//
// Throws IoError, Cancelled; ConfigError for incompatible options and inputs; FormatError for an id that does not fit,
// a split without a sequence, and an output folder with other files.
SequenceReport make_sequences(const SequenceTask& task, const PipelineOptions& options, Progress& progress);

}  // namespace bertprep
