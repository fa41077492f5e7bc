// What a set of token sequences is made of: SequenceUnit, its inputs, and SequenceModel, which makes rows of them.
#pragma once

#include "pipeline/records/recipe.h"
#include "pipeline/records/run_layout.h"
#include "pipeline/sequences/sequences.h"
#include "shard/id_type.h"

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

// Settings common to all parts of a set.
struct SequenceRule {
  SequenceOptions options;  // resolved
  std::string name;         // of the dataset
  IdType ids = IdType::kUint16;
  TokenId cls = 0;
  TokenId sep = 0;
  TokenId pad = 0;
  std::optional<TokenId> end_of_article{};
};

// Loaded once, and the same for the whole set.
struct SequenceModel {
  // Opens the vocabulary of `options` and fills in the options of `task` that are left open. Without inputs, the text
  // is that of a run, as PipelineOptions::as_is says. Throws IoError,
  // FormatError; ConfigError for options that contradict each other or the vocabulary.
  SequenceModel(const SequenceTask& task, const PipelineOptions& options);

  TextEncoder encoder;
  std::shared_ptr<const SentenceSplitter> splitter;  // null unless documents are to be split
  SequenceRule rule;
  Recipe recipe;
};

// A share of the text shards of an array job, whose tasks make these parts and no index.
struct SequenceShare {
  std::vector<std::size_t> text_shards;  // training first
  std::vector<TextShardFacts> known;     // of each
  std::string plan_key;                  // CompletionRecord's
};

// make_sequences() with a model that the caller has loaded; all parts and the set, without a share.
SequenceReport make_sequences(const SequenceTask& task, const SequenceModel& model, const PipelineOptions& options,
                              Progress& progress, const SequenceShare* share = nullptr);

// What a run makes: without inputs, and from its text shards, which `rows` has as a run that makes rows.
SequenceTask begun_sequences(const PipelineOptions& options);
SequenceTask sequences_of_run(const RunLayout& layout, const PipelineOptions& options, InstanceStep rows);
// The tasks of the parts of its text shards, in their order.
std::vector<std::string> sequence_parts(const RunLayout& layout, const PipelineOptions& options);

// In the record of a part that an array job made: the digest of its text shard.
inline constexpr const char* kTextShardDigest = "text_shard_sha256";

// Removes all parts, their combination and the manifest: for `force` in an array job.
void remove_sequences(const OutputFolder& folder);

// Throws FormatError for other calls' results in the folder of `task`, as far as its inputs are known: a foreign
// manifest, results of another stage or recipe, parts of other inputs. Changes nothing.
void refuse_other_sequences(const SequenceTask& task, const SequenceModel& model);

// Whether the manifest and all parts exist, made by this recipe from the text shards in `task.known`.
bool are_sequences_done(const SequenceTask& task, const SequenceModel& model);

}  // namespace bertprep
