// CorpusPart: inputs of one format, read in order. The stages of build(), one function each: format_articles,
// shard_articles, make_instances; and verify_shards, verify_work, extract_articles, extract_page, train_vocab. Each is
// resumable.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/shard/manifest.h"
#include "bertprep/source/document_source.h"
#include "bertprep/source/open_source.h"
#include "bertprep/text/sentences.h"
#include "bertprep/token/vocab_trainer.h"
#include "bertprep/wiki/wiki_options.h"

namespace bertprep {

// A file of an address that a task of an array job fetches, with its index in CorpusPart::inputs.
struct UnfetchedFile {
  std::filesystem::path file;
  std::size_t input = 0;
  std::uint64_t bytes = 0;  // 0: not known
};

struct CorpusPart {
  std::vector<std::filesystem::path> inputs;
  SourceOptions source{};
  WikiOptions wiki{};  // for the format mediawiki
  // FetchedPart::downloads: removed after a run that does not keep downloads.
  std::vector<std::filesystem::path> downloads{};
  // Of inputs that are addresses, for the manifest.
  std::vector<ManifestSource> sources{};
  // For plan_array() alone: all files, in reading order, of a part of which the tasks fetch what they read.
  std::vector<UnfetchedFile> unfetched{};
};

// `options` with `auto` replaced by the splitter it means for these parts, unless there is a custom splitter.
SentenceOptions resolve_sentences(std::span<const CorpusPart> parts, SentenceOptions options);

// The parts with max_article_within(memory) where SourceOptions::max_article is empty.
std::vector<CorpusPart> within_memory(std::span<const CorpusPart> parts, const std::string& memory);

// The articles of all parts in order, whatever their formats. Throws as open_source() does. Opens each part when it is
// reached.
std::unique_ptr<DocumentSource> open_corpus(std::span<const CorpusPart> parts, RejectSink rejects);

// The data of a finished folder of shards.
struct DatasetReport {
  std::filesystem::path folder;
  std::string data;  // Manifest::data
  std::vector<DataWarning> warnings;
};

// What a stage did. Counts cover the whole result of the stage, whether made now or earlier.
struct StageReport {
  std::string stage;
  std::uint64_t tasks_made = 0;
  std::uint64_t tasks_found = 0;  // finished by an earlier call
  std::uint64_t articles = 0;
  std::uint64_t sentences = 0;
  std::uint64_t tokens = 0;
  std::uint64_t rows = 0;
  std::uint64_t rejected = 0;
  ReasonCounts rejected_by_reason{};
  std::filesystem::path rejects_file{};  // lists them (docs/formats/rejects.md); empty if there are none
  std::uint64_t bytes_in = 0;            // read by the tasks made now
  std::uint64_t bytes_out = 0;           // of the result
  double seconds = 0;
  std::uint64_t peak_bytes = 0;  // most memory of the process up to the end of the stage; 0: not known
  // Documents that are not articles, by reason ("redirect", "no text"); only for stages that make articles.
  ReasonCounts left_out{};
  // One for each dataset that the stage finished.
  std::vector<DatasetReport> data{};
};

// Input: documents in order. Output: `file`, one article per line (docs/formats/articles.md), compressed if its name
// ends in ".zst"; beside it FILE.origins.jsonl if the documents say where they come from (docs/formats/origins.md);
// rejected records go to FILE.rejects.jsonl in the hidden sibling of FILE's folder. All threads turn markup into text.
// Memory: per thread, half a megabyte of text or the longest article.
// A finished `file` of another recipe or input is refused without --force.
struct FormatTask {
  std::vector<CorpusPart> parts;  // in order
  std::filesystem::path file;
  bool keep_lines = false;  // write a text shard instead: each line of an article is a sentence
  bool as_is = false;       // write JSON Lines instead: the text of each article as it is (docs/formats/sequences.md)
  std::shared_ptr<const TextNormalizer> normalizer{};  // as PipelineOptions'
};
StageReport format_articles(const FormatTask& task, const WorkOptions& work, Progress& progress);

// The same from a custom source, which can't be compared with an earlier call and is always read.
StageReport format_articles(DocumentSource& source, const FormatTask& task, const WorkOptions& work,
                            Progress& progress);

// Input: formatted files (or text shards, if the splitter is `lines`), plain or compressed. Output:
// `folder`/NAME_training_I.txt and NAME_test_I.txt (docs/formats/text-shard.md); .jsonl for documents as they are,
// shared out by their bytes. Articles are assigned to shards as the reference does. Memory: about 40 bytes per article
// and a few blocks of text: the inputs are read twice, once to split and once to write.
struct ShardTask {
  std::vector<std::filesystem::path> inputs;
  std::string name;
  std::filesystem::path folder;
};
StageReport shard_articles(const ShardTask& task, const PipelineOptions& options, Progress& progress);

// Input: text shards. Output: for each phase, a folder of shards with the base names of the text shards, and
// manifest.json (docs/formats/manifest.md). Each text shard is read and tokenized once for all phases. Memory: per
// thread, a text shard, its token ids and its instances; fewer threads run if --memory requires it.
// Shards are added to the folders.
struct InstancePhase {
  InstanceOptions options;
  std::filesystem::path folder;
};
struct InstanceTask {
  std::vector<std::filesystem::path> text_shards;  // different base names
  std::string name;                                // of the dataset, for the manifest
  std::vector<InstancePhase> phases;
};
StageReport make_instances(const InstanceTask& task, const PipelineOptions& options, Progress& progress);

// `problems` is what `verify` found wrong, one line each; empty if all is well.
struct VerifyReport {
  std::uint64_t shards = 0;
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  std::vector<std::string> problems;
};
// Checks shards against their manifest (if there is one), their schema and the rules for every row.
VerifyReport verify_shards(const std::filesystem::path& folder, const WorkOptions& work, Progress& progress);

// Files that are no shards, compared with their completion records.
struct WorkReport {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  std::vector<std::string> problems;  // one line each, with what to do
};
// Reads every file below `work` that a completion record names, whichever run or array job wrote it, and compares its
// size and SHA-256. If all files of a record are gone, they were removed on purpose; that is not a problem. Throws
// IoError if there is no such folder, Cancelled.
WorkReport verify_work(const std::filesystem::path& work, const WorkOptions& options, Progress& progress);
// The same for what extraction, formatting, sharding and the training of vocabularies wrote at or below `path`, which
// may be one of their files. Nothing is reported if there are no such files. Throws Cancelled.
WorkReport verify_results(const std::filesystem::path& path, const WorkOptions& options, Progress& progress);

// Extraction: dumps of MediaWiki wikis -> files of <doc> elements, as WikiExtractor writes them
// (docs/formats/extracted.md).

struct ExtractOptions {
  std::string bytes = "100M";  // maximum size of a file, unless one article is longer: "500K", "1G", "1000000"
};

struct ExtractTask {
  std::vector<std::filesystem::path> dumps;
  SourceOptions source{};  // only `strict` and `max_expansion` have an effect
  WikiOptions wiki{};
  ExtractOptions files{};
  std::filesystem::path folder;
};

// Output: `folder`/AA/wiki_00 and so on, and `folder`/articles.jsonl with the origin and place of each article;
// rejected pages go to extract.rejects.jsonl in the hidden sibling of `folder`. Files appear only when they are whole.
// Memory: a few blocks of pages for each thread. If a dump is truncated or is not a dump, all readable pages are
// written first, without a completion record, and then FormatError is thrown. Files in `folder` that bertprep did not
// make are refused (removed with --force).
StageReport extract_articles(const ExtractTask& task, const WorkOptions& work, Progress& progress);

// One page, looked up by its title or id, as the <doc> element that extract_articles() would write. A title may be
// escaped as in the dump, have '_' for blanks, and begin with a small letter. With the `index` of a multistream dump,
// or one beside the dump, only the stream of the page is read; without, the dumps are searched from the start. Throws
// FormatError with the near titles if there is no such page.
std::string extract_page(const ExtractTask& task, const std::string& title_or_id, const std::filesystem::path& index,
                         const WorkOptions& work, Progress& progress);

struct VocabTask {
  std::vector<CorpusPart> parts;  // in order
  std::filesystem::path file;     // docs/formats/vocabulary.md
  VocabTrainerOptions trainer;
};

struct VocabReport {
  StageReport stage;  // "vocab"
  std::uint64_t pieces = 0;
  LettersLeftOut letters{};
  WordsChanged words{};
};

// Makes a vocabulary file from a corpus. A file that an earlier call made from the same text with the same options is
// kept. A file that was made otherwise, was edited since, or was not made by any call is refused before any text is
// read, unless work.force is set. Memory: the distinct words. Throws IoError, FormatError, ConfigError, Cancelled.
VocabReport train_vocab(const VocabTask& task, const WorkOptions& work, Progress& progress);

}  // namespace bertprep
