// The stages of stages.h as steps of a run: with models loaded by the caller, what it knows already, or what only tests
// set.
#pragma once

#include "bertprep/token/vocab.h"
#include "pipeline/records/resumption.h"

namespace bertprep {

struct FormatStep : FormatTask {
  // If given, articles are also split into sentences and an index is written, so that shard_articles() need not split
  // them.
  std::shared_ptr<const SentenceSplitter> splitter{};
  // A finished `file` with another recipe or input is remade, as a run may do with the files of its work folder.
  bool is_intermediate = false;
  // What is already known about the input files: the digest over their digests, and their size.
  std::string input_digest{};
  std::uint64_t input_bytes = 0;
  // Text between two checkpoints, from which a killed call is continued.
  std::uint64_t checkpoint_bytes = std::uint64_t{16} << 20U;
};

struct ShardStep : ShardTask {
  // What format_articles() already knows about its one formatted file: the digest of the text, and the sentence index.
  std::string text_sha256{};
  std::filesystem::path index{};
  bool is_intermediate = false;  // as FormatStep's
};

// Without a splitter, all of a step but its task would be lost.
StageReport shard_articles(const ShardStep& task, const PipelineOptions& options, Progress& progress) = delete;

StageReport format_articles(const FormatStep& task, const WorkOptions& work, Progress& progress);
// From a source that is read only once.
StageReport format_articles(DocumentSource& source, const FormatStep& task, const WorkOptions& work,
                            Progress& progress);
StageReport shard_articles(const ShardStep& task, const PipelineOptions& options, const SentenceSplitter& splitter,
                           Progress& progress);
StageReport make_instances(const InstanceStep& task, const PipelineOptions& options, Progress& progress);
StageReport make_instances(const InstanceStep& task, const PipelineOptions& options, const Vocab& vocab,
                           Progress& progress);

// Default numbers of shards, which are known after counting the articles:

// `options` with the numbers of shards for this number of articles.
PipelineOptions with_shards(PipelineOptions options, std::uint64_t articles);

// A note to the user about default numbers; empty if they are the reference's, or were given.
std::string note_on_shards(const ShardingOptions& given, std::uint64_t articles);

// A warning before any text is tokenized; empty unless hardly any end of a sentence was found in long articles.
// `sentences` are those of each article, `bytes` the size of the text.
std::string note_on_sentences(std::span<const std::uint32_t> sentences, std::uint64_t bytes);

}  // namespace bertprep
