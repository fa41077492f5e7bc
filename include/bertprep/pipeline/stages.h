// train_vocab: a corpus -> a vocabulary file, resumable as the stages are (stages.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/pipeline/corpus.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/source/document_source.h"
#include "bertprep/source/open_source.h"
#include "bertprep/token/vocab_trainer.h"
#include "bertprep/wiki/wiki_options.h"

namespace bertprep {

// For the program's flags: its sources read fields().
template <class Options>
struct Field;
enum class OptionGroup;

// What a stage did. Counts are of everything the stage's result holds, made now or earlier.
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
  std::filesystem::path rejects_file{};  // names them (docs/formats/rejects.md); empty when there are none
  std::uint64_t bytes_in = 0;            // read by the tasks made now
  std::uint64_t bytes_out = 0;           // of the result
  double seconds = 0;
  // Documents that are no articles, by their reasons ("redirect", "no text"): of the stages that make articles.
  ReasonCounts left_out{};
};

// Input: documents in their order. Output: `file`, one article a line (docs/formats/articles.md), compressed when its
// name ends in ".zst"; beside it FILE.origins.jsonl when the documents say where they come from
// (docs/formats/origins.md); rejected records go to FILE.rejects.jsonl in the hidden sibling of FILE's folder. Markup
// is turned into text by all threads. Memory: per thread half a megabyte of text or the longest article.
struct FormatTask {
  std::vector<CorpusPart> parts;  // one after the other
  std::filesystem::path file;
  bool keep_lines = false;  // write a text shard instead: each line of an article is a sentence
  // Given: articles are split into sentences on the way and an index is left for shard_articles(), which then need not
  // split them.
  std::shared_ptr<const SentenceSplitter> splitter{};
  std::shared_ptr<const TextNormalizer> normalizer{};  // as PipelineOptions'
  // False: a finished `file` of another recipe or input is refused without --force. True: it is made anew, as a run may
  // do with what passes through its work folder.
  bool is_passing = false;
  // What is known already of the files: the digest over theirs, and their size.
  std::string input_sha256{};
  std::uint64_t input_bytes = 0;
};
StageReport format_articles(const FormatTask& task, const WorkOptions& work, Progress& progress);

// The same from a source of one's own, which can't be compared with an earlier call and is always read.
StageReport format_articles(DocumentSource& source, const FormatTask& task, const WorkOptions& work,
                            Progress& progress);

// Input: formatted files (or text shards, when the splitter is `lines`), plain or compressed. Output:
// `folder`/NAME_training_I.txt and NAME_test_I.txt (docs/formats/text-shard.md). Articles are placed as the reference
// places them. Memory: about 40 bytes an article and a few blocks of text: the inputs are read once to be split and
// once to be written.
struct ShardTask {
  std::vector<std::filesystem::path> inputs;
  std::string name;
  std::filesystem::path folder;
  // What format_articles() knows already of its one formatted file: the digest of the text, and the sentence index.
  std::string text_sha256{};
  std::filesystem::path index{};
  bool is_passing = false;  // as FormatTask's
};
StageReport shard_articles(const ShardTask& task, const PipelineOptions& options, Progress& progress);

// Input: text shards. Output: for each phase a folder of shards with the text shards' base names and manifest.json
// (docs/formats/manifest.md). Each text shard is read and tokenized once for all phases. Memory: per thread a text
// shard, its token ids and its instances; fewer threads work when --memory asks for it.
struct InstancePhase {
  InstanceOptions options;
  std::filesystem::path folder;
};
struct TextShardFacts {
  std::uint64_t bytes = 0;
  std::string sha256;
  std::string xxh3{};  // empty: not known, and the sha256 is compared when the text shard is read
};
struct InstanceTask {
  std::vector<std::filesystem::path> text_shards;  // different base names
  // Of each text shard, where they are known already: a text shard whose shards are all there is then not looked at,
  // and may be gone. Otherwise empty.
  std::vector<TextShardFacts> known{};
  std::string name;  // of the dataset, for the manifest
  std::vector<InstancePhase> phases;
  // True: the folders shall hold these shards alone; another run's are refused (or removed with --force). False: shards
  // are added to what is there.
  bool whole_dataset = false;
  // How the text was made, and what was left out of it, for the manifest.
  std::vector<std::pair<std::string, std::string>> provenance;
  ReasonCounts rejected_by_reason{};
  // A task of an array: every count-th text shard from this one on is made, and no manifest; finish_shards() writes it
  // when all tasks are done (array.h).
  std::uint64_t array_task = 0;
  std::uint64_t array_count = 1;
};
StageReport make_instances(const InstanceTask& task, const PipelineOptions& options, Progress& progress);

// What `verify` found wrong, one line each; empty when all is well.
struct VerifyReport {
  std::uint64_t shards = 0;
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  std::vector<std::string> problems;
};
// Checks shards against their manifest (when there is one), their schema and the rules every row keeps.
VerifyReport verify_shards(const std::filesystem::path& folder, const WorkOptions& work, Progress& progress);

// What lies between the stages, compared with its completion records.
struct WorkReport {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  std::vector<std::string> problems;  // one line each, with what to do
};
// Reads every file below `work` that a completion record names, whatever run or array job left it, and compares its
// size and SHA-256. What a record names and is gone altogether was let go on purpose and is no problem. Throws IoError
// when there is no such folder, Cancelled.
WorkReport verify_work(const std::filesystem::path& work, const WorkOptions& options, Progress& progress);

// Extraction: dumps of MediaWiki wikis -> files of <doc> elements, as WikiExtractor writes them
// (docs/formats/extracted.md).

struct ExtractOptions {
  std::string bytes = "100M";  // a file has at most so many, but for an article that is longer: "500K", "1G", "1000000"

  static const OptionGroup kGroup;
  static std::span<const Field<ExtractOptions>> fields();
};

struct ExtractTask {
  std::vector<std::filesystem::path> dumps;
  SourceOptions source{};  // `strict` alone counts
  WikiOptions wiki{};
  ExtractOptions files{};
  std::filesystem::path folder;
  // False: what another recipe or input has left in `folder` is refused without --force. True: it is made anew.
  bool is_passing = false;
};

// Output: `folder`/AA/wiki_00 and so on, and `folder`/articles.jsonl with the origin and place of each article;
// rejected pages go to extract.rejects.jsonl in the hidden sibling of `folder`. Files appear when they are whole.
// Memory: a few blocks of pages for each thread. A dump that is cut or no dump throws its FormatError after all that
// could be read has been written, without a completion record. Files of another's making in `folder` are refused
// (removed with --force).
StageReport extract_articles(const ExtractTask& task, const WorkOptions& work, Progress& progress);

// One page, looked up by its title (as in the dump, or unescaped) or id, as the <doc> element that extract_articles
// would write. With an `index` of a multistream dump, or one that lies beside the dump, only the stream of the page is
// read; without, the dumps are searched from the front. Nothing when there is no such page.
std::optional<std::string> extract_page(const ExtractTask& task, const std::string& title_or_id,
                                        const std::filesystem::path& index, const WorkOptions& work,
                                        Progress& progress);

struct VocabTask {
  std::vector<CorpusPart> parts;  // one after the other
  std::filesystem::path file;     // docs/formats/vocabulary.md
  VocabTrainerOptions trainer;
};

struct VocabReport {
  StageReport stage;  // "vocab"
  std::uint64_t pieces = 0;
};

// A file that an earlier call made from the same text with the same options is found. One that was made otherwise, that
// was edited since, or that no call made is refused before any text is read, unless work.force. Memory: the distinct
// words. Throws IoError, FormatError, ConfigError, Cancelled.
VocabReport train_vocab(const VocabTask& task, const WorkOptions& work, Progress& progress);

}  // namespace bertprep
