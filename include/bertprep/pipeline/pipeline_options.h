// PipelineOptions: the option structs of the rooms side by side, for a whole run.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bertprep/instance/instance_set.h"
#include "bertprep/shard/shard_writer.h"
#include "bertprep/text/sentences.h"
#include "bertprep/text/text_normalizer.h"
#include "bertprep/token/tokenizer.h"

namespace bertprep {

// ShardingOptions: the number of text shards that the articles of a dataset are distributed over.

struct ShardingOptions {
  // 0: not given; the number of articles decides, see resolve_sharding(). A given number is kept, or refused if there
  // are fewer articles than shards.
  std::int64_t train_shards = 0;
  std::int64_t test_shards = 0;
  double test_fraction = 0.1;

  bool is_resolved() const { return train_shards != 0 && test_shards != 0; }
};

// `options` with the missing numbers filled in. For 4,096 articles or more (eight for each of the reference's shards)
// they are the reference's: 256 and 256. With fewer articles, every eight make one shard: `test_fraction` of the
// shards, rounded, is for testing, the rest for training, at least 1 and at most 256 of each.
ShardingOptions resolve_sharding(ShardingOptions options, std::uint64_t articles);

// The intermediate files that a run keeps.
struct KeptFiles {
  bool download = true;
  bool extracted = false;  // wiki articles as the reference's extractor writes them
  bool formatted = true;
  bool sharded = true;
};

// How to do the work. These options do not change a byte of the result, with one exception: articles too long for
// `memory` are rejected (max_article_within).
struct WorkOptions {
  std::int64_t threads = 0;    // 0: as many as the machine has
  std::string memory = "50%";  // "300M", "4G", or "50%" of the memory the process may use
  bool force = false;          // make existing results again, and replace the files of others
  KeptFiles keep{};
};

// `memory` in bytes; shares are of the machine's memory, or of what the cgroup (a container, a job) allows if that is
// less. Throws ConfigError.
std::uint64_t memory_bytes(const std::string& memory);

// The longest article that stages accept within `memory` if SourceOptions::max_article is empty: a sixteenth of the
// memory left for text, from 1 MiB to 1 GiB. Reading, finishing and splitting an article takes up to 14 times its
// bytes.
std::string max_article_within(const std::string& memory);
// Throws ConfigError if articles of up to `max_article`, a size or empty, need more than `memory`.
void check_max_article(const std::string& max_article, const std::string& memory);

// Which rows to make.
enum class Phase { kPhase1, kPhase2, kBoth, kCustom };

struct CorpusOptions {
  // The name of the dataset, and of its folders and files. See check_name().
  std::string name = "corpus";
  Phase phase = Phase::kBoth;  // 1 (128 tokens, 20 predictions), 2 (512, 80), both, or custom (InstanceOptions')
};

// Throws ConfigError unless `name` can name a dataset: letters of any script, digits, '-', '_' and '.', in UTF-8, at
// most 100 bytes, not starting with '-' or '.'. `option` is the name of the option in the error.
void check_name(const std::string& name, const std::string& option = "name");

struct SequenceRun;  // for the program: src/pipeline/sequences/sequences.h

struct PipelineOptions {
  CorpusOptions corpus;
  std::string vocabulary = "bert-large-uncased";       // a file, or a name that `bertprep vocab list` shows
  std::shared_ptr<const TextNormalizer> normalizer{};  // your changes to the text; null: none
  TokenizerOptions tokenizer;
  SentenceOptions sentences;
  ShardingOptions sharding;
  // Lengths of 0 mean those of the phase; for the phase custom, 128 and 20. Other phases accept no other lengths.
  InstanceOptions instances{.seq_len = 0, .max_predictions = 0};
  ShardLayoutOptions layout;
  WorkOptions work;
  // What to make instead of rows. Null: rows.
  std::shared_ptr<const SequenceRun> sequences{};
  // Formatted files and text shards hold the text of documents as it is, in JSON Lines. build() sets it for sequences.
  bool as_is = false;

  // The group of the vocabulary; the other structs have their own.

  // `instances` once for each phase, with the sequence length and predictions of that phase; none for sequences.
  std::vector<InstanceOptions> phases() const;
  // Throws ConfigError for the first option that is out of range or would be ignored; the message says what to set.
  void validate_all() const;
};

}  // namespace bertprep
