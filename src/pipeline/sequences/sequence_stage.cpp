// Token sequences: text shards or formatted files -> MDS, Megatron or HDF5.
#include <algorithm>
#include <mutex>
#include <ranges>
#include <utility>

#include "base/fields.h"
#include "base/number_text.h"
#include "base/stage_errors.h"
#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "pipeline/records/damage.h"
#include "pipeline/records/dataset_vocab.h"
#include "pipeline/records/input_guard.h"
#include "pipeline/records/manifest_of_folder.h"
#include "pipeline/sequences/sequence_manifest.h"
#include "pipeline/sequences/sequence_set.h"
#include "pipeline/stages/formatted_text.h"
#include "pipeline/stages/memory_plan.h"
#include "pipeline/work/serial_progress.h"
#include "pipeline/work/stage_clock.h"
#include "pipeline/work/workers.h"
#include "shard/mds/mds_format.h"
#include "shard/megatron/megatron_index.h"
#include "token/huggingface_folder.h"

namespace bertprep {
namespace {

constexpr const char* kStage = "sequences";
constexpr const char* kVersion = "1";
constexpr std::size_t kVocabOfUint16 = std::size_t{1} << 16U;
// Of a sample beside its ids, and of a shard beside its samples: an upper estimate.
constexpr std::uint64_t kSampleBytes = 16;
constexpr std::uint64_t kShardBytes = 1024;

IdType id_type(const SequenceOptions& options, const TextEncoder& encoder) {
  const bool is_megatron = options.format == SequenceFormat::kMegatron;
  switch (options.ids) {
    case IdChoice::kAuto:
      break;
    case IdChoice::kUint16:
      if (encoder.size() <= kVocabOfUint16) return IdType::kUint16;
      throw ConfigError("a vocabulary of " + grouped(encoder.size()) + " tokens does not fit into uint16", {},
                        "leave out --dtype, or give int32");
    case IdChoice::kInt32:
      return IdType::kInt32;
    case IdChoice::kInt64:
      return IdType::kInt64;
  }
  if (is_megatron) return megatron_id_type(encoder.size());
  return encoder.size() <= kVocabOfUint16 ? IdType::kUint16 : IdType::kInt32;
}

void check_size_limit(const SequenceRule& rule) {
  const MdsFormat format = mds_format_of(rule);
  const auto tokens = static_cast<std::uint64_t>(std::max(rule.options.max_tokens, rule.options.blocks));
  const std::uint64_t most = tokens * bytes_of(rule.ids) + kSampleBytes + kShardBytes;
  if (!format.size_limit || *format.size_limit >= most) return;
  throw ConfigError(
      "a shard of --size-limit " + rule.options.size_limit + " has no room for a row of " + grouped(tokens) + " tokens",
      {}, "give " + std::to_string(most) + " or more, or shorter rows");
}

TokenId required(const std::optional<TokenId>& id, const char* what, const TextEncoder& encoder, const char* cure) {
  if (id) return *id;
  throw ConfigError("'" + encoder.name() + "' has no token for " + what, {}, cure);
}

// WordPiece vocabularies have none of their own: the end of a row is the end of an article, too.
TokenId end_of_article(const TextEncoder& encoder) {
  const SpecialIds& special = encoder.specials();
  return required(special.eod ? special.eod : special.sep, "the end of an article", encoder, "give --eod no");
}

SequenceRule rule_of(const SequenceTask& task, const TextEncoder& encoder) {
  SequenceRule rule{.options = resolve_sequences(task.options), .name = task.name};
  rule.ids = id_type(rule.options, encoder);
  const SpecialIds& special = encoder.specials();
  const bool is_rows = rule.options.format != SequenceFormat::kMegatron && rule.options.blocks == 0;
  if (is_rows) {
    constexpr const char* kCure = "give --blocks, or a tokenizer that was made for an encoder";
    rule.cls = required(special.cls, "the begin of a row", encoder, kCure);
    rule.sep = required(special.sep, "the end of a row", encoder, kCure);
    if (rule.options.format == SequenceFormat::kHdf5) rule.pad = required(special.pad, "padding", encoder, kCure);
  }
  if (rule.options.end_of_article == EndOfArticle::kYes) rule.end_of_article = end_of_article(encoder);
  if (rule.options.format == SequenceFormat::kMds) check_size_limit(rule);
  return rule;
}

Recipe recipe_of_sequences(const SequenceTask& task, const SequenceRule& rule, const PipelineOptions& options,
                           const TextEncoder& encoder) {
  // What kAuto became is part of the bytes; its name is not.
  SequenceOptions settled = rule.options;
  settled.ids = rule.ids == IdType::kUint16  ? IdChoice::kUint16
                : rule.ids == IdType::kInt32 ? IdChoice::kInt32
                                             : IdChoice::kInt64;
  Recipe recipe(kStage, kVersion);
  recipe.add_options(settled);
  if (const Vocab* vocab = encoder.wordpiece()) {
    return recipe.add_tokenizer(options.tokenizer).add_vocab(*vocab, options.tokenizer);
  }
  return recipe.add_options(task.encoder)
      .add("vocab-sha256", encoder.sha256())
      .add("vocab-size", std::to_string(encoder.size()));
}

std::unique_ptr<PartWriter> part_writer(const OutputFolder& folder, const SequenceUnit& unit,
                                        const SequenceRule& rule) {
  switch (rule.options.format) {
    case SequenceFormat::kMegatron:
      return write_megatron_part(folder, unit, rule);
    case SequenceFormat::kHdf5:
      return write_hdf5_part(folder, unit, rule);
    case SequenceFormat::kAuto:
    case SequenceFormat::kMds:
      break;
  }
  return write_mds_part(folder, unit, rule);
}

std::uint64_t bytes_of_inputs(const SequenceUnit& unit) {
  std::uint64_t bytes = 0;
  for (const auto& input : unit.inputs) bytes += InputFile(input).size_bytes();
  return bytes;
}

// At the peak of one part, an upper estimate.
std::uint64_t memory_of(const SequenceUnit& unit, const SequenceRule& rule) {
  constexpr std::uint64_t kBlocks = std::uint64_t{16} << 20U;
  const std::uint64_t text = bytes_of_inputs(unit);
  if (rule.options.format == SequenceFormat::kHdf5) return kBlocks + 4 * text;
  if (rule.options.format == SequenceFormat::kMegatron) return kBlocks + text / 8;
  const std::uint64_t shard = mds_format_of(rule).size_limit.value_or(text * bytes_of(rule.ids) / 2);
  return kBlocks + 2 * std::min(shard, text * bytes_of(rule.ids));
}

// One call: what it works on and with.
class SequenceWork {
 public:
  SequenceWork(const SequenceTask& task, const PipelineOptions& options, const TextEncoder& encoder,
               const SequenceRule& rule, const OutputFolder& folder, Progress& progress)
      : task_(task),
        work_(options.work),
        tokenizer_(options.tokenizer),
        encoder_(encoder),
        rule_(rule),
        recipe_(recipe_of_sequences(task, rule, options, encoder)),
        folder_(folder),
        set_(folder, rule_, recipe_, options.work.force),
        encoders_(encoder),
        progress_(progress) {}

  const Recipe& recipe() const { return recipe_; }

  SequenceReport run(std::span<const SequenceUnit> units) {
    splits_ = whole_splits(units);
    set_.refuse_foreign_manifest();
    set_.refuse_other_parts(units, splits_);
    report_.options = rule_.options;
    report_.stage.stage = kStage;
    const bool is_array = task_.array_count > 1;
    // Megatron's sets are one for a split; tasks of an array leave parts of them.
    const bool by_split = rule_.options.format == SequenceFormat::kMegatron && !is_array;
    if (by_split) merge_parts(units);
    std::vector<SequenceUnit> mine;
    const std::span<const SequenceUnit> all = by_split ? std::span<const SequenceUnit>(splits_) : units;
    for (std::size_t i = task_.array_task; i < all.size(); i += task_.array_count) mine.push_back(all[i]);
    make_all(mine);
    if (!is_array) complete(all);
    if (by_split) set_.remove_megatron_parts(units);
    return std::move(report_);
  }

 private:
  static std::vector<SequenceUnit> of_split(std::span<const SequenceUnit> units, const std::string& split) {
    std::vector<SequenceUnit> found;
    for (const SequenceUnit& unit : units) {
      if (unit.split == split) found.push_back(unit);
    }
    return found;
  }

  // Where tasks of an array have made all parts of a split, they become one.
  void merge_parts(std::span<const SequenceUnit> units) {
    for (const SequenceUnit& split : splits_) {
      std::vector<CompletionRecord> parts;
      const std::vector<SequenceUnit> own = of_split(units, split.split);
      for (const SequenceUnit& unit : own) {
        if (!set_.has_record(unit)) break;
        const auto found = set_.find(unit, digest_text(unit.inputs, TaskRunner()));
        if (!found || withdraw_if_damaged(folder_, unit.task())) break;
        parts.push_back(*found);
      }
      if (parts.size() != own.size()) continue;
      set_.merge_megatron(split, own, parts, digest_text(split.inputs, TaskRunner()));
    }
  }

  void make_all(std::span<const SequenceUnit> units) {
    parts_.resize(units.size());
    const std::size_t threads = resolve_threads(static_cast<std::size_t>(work_.threads));
    std::uint64_t largest = 0;
    for (const SequenceUnit& unit : units) largest = std::max(largest, memory_of(unit, rule_));
    progress_.begin(kStage, units.size(), "parts");
    const bool shares_threads = units.size() < threads;
    const std::size_t at_once =
        shares_threads ? 1 : threads_within(memory_bytes(work_.memory), std::max<std::uint64_t>(largest, 1), threads);
    for_each_task(units.size(), at_once, progress_, [&](std::size_t i) {
      parts_[i] = make(units[i], shares_threads ? threads : 1);
      progress_.advance(1);
    });
    progress_.end();
  }

  CompletionRecord make(const SequenceUnit& unit, std::size_t threads) {
    if (!work_.force && set_.has_record(unit)) {
      if (auto found = set_.find(unit, digest_text(unit.inputs, TaskRunner()))) {
        note_part(*found, 0);
        return std::move(*found);
      }
    }
    const auto writer = part_writer(folder_, unit, rule_);
    begin_making();
    const SequenceText text =
        tokenize_unit(unit, line_rule(unit), size_in_bytes(max_article_within(work_.memory), "max-article"), encoders_,
                      threads, progress_, [&](const TokenizedDocuments& articles) { writer->add(articles); });
    if (!work_.force) require_as_recorded(unit, text);
    CompletionRecord record = set_.commit(unit, writer->finish(), text.sha256);
    note_part(record, text.bytes);
    return record;
  }

  // WordPiece takes no notice of what stands between sentences; a sequence of Megatron's may be a sentence alone.
  LineRule line_rule(const SequenceUnit& unit) const {
    if (unit.is_text_shard) {
      const bool by_sentence =
          rule_.options.format == SequenceFormat::kMegatron && rule_.options.level == SequenceLevel::kSentence;
      return encoder_.wordpiece() != nullptr || by_sentence ? LineRule::kSentences : LineRule::kJoinedSentences;
    }
    if (rule_.options.source == SequenceSource::kArticles) return LineRule::kArticles;
    return rule_.options.detokenize == TextMending::kNone ? LineRule::kRows : LineRule::kDetokenizedRows;
  }

  // Before the first part is made.
  void begin_making() {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(is_making_, true)) set_.withdraw(splits_);
  }

  // What other commands have recorded of the inputs has to be what was read.
  static void require_as_recorded(const SequenceUnit& unit, const SequenceText& text) {
    RecordedTexts recorded;
    for (std::size_t i = 0; i < unit.inputs.size(); ++i) {
      require_recorded(unit.inputs[i], recorded.sha256(unit.inputs[i]), text.file_sha256[i]);
    }
  }

  // `bytes_in`: of text that was read now; 0 for a part that was there.
  void note_part(const CompletionRecord& record, std::uint64_t bytes_in) {
    const SequenceCounts counts = sequence_counts(record);
    const std::lock_guard lock(mutex_);
    ++(bytes_in == 0 ? report_.stage.tasks_found : report_.stage.tasks_made);
    report_.stage.articles += counts.articles;
    report_.stage.rows += counts.sequences;
    report_.stage.tokens += counts.tokens;
    report_.stage.bytes_in += bytes_in;
    report_.stage.bytes_out += counts.bytes;
  }

  // `units` are those of the parts.
  void complete(std::span<const SequenceUnit> units) {
    for (std::size_t i = 0; i < units.size(); ++i) report_.splits[units[i].split] += sequence_counts(parts_[i]);
    std::vector<CompletionRecord> all = parts_;
    if (rule_.options.format == SequenceFormat::kMds && !units.front().is_whole_split) {
      for (const SequenceUnit& split : splits_) all.push_back(merge_split(split, units));
    }
    if (tokenizer_.custom == nullptr) {
      const std::int64_t longest = std::max(rule_.options.max_tokens, rule_.options.blocks);
      all.push_back(set_.put_tokenizer(huggingface_files(encoder_, tokenizer_, longest), progress_));
    }
    const std::string manifest = sequence_manifest(task_.name, recipe_, encoder_.name(), report_.splits, all);
    const auto file = folder_.path() / Manifest::kFileName;
    if (!std::filesystem::exists(file) || read_file(file) != manifest) {
      folder_.publish_small(Manifest::kFileName, manifest);
    }
  }

  CompletionRecord merge_split(const SequenceUnit& split, std::span<const SequenceUnit> units) const {
    std::vector<SequenceUnit> own;
    std::vector<CompletionRecord> parts;
    for (std::size_t i = 0; i < units.size(); ++i) {
      if (units[i].split != split.split) continue;
      own.push_back(units[i]);
      parts.push_back(parts_[i]);
    }
    return set_.merge_mds(split, own, parts);
  }

  const SequenceTask& task_;
  const WorkOptions& work_;
  const TokenizerOptions& tokenizer_;
  const TextEncoder& encoder_;
  const SequenceRule& rule_;
  Recipe recipe_;
  const OutputFolder& folder_;
  SequenceSet set_;
  EncoderPool encoders_;
  Progress& progress_;
  std::mutex mutex_;
  std::vector<SequenceUnit> splits_;
  bool is_making_ = false;
  std::vector<CompletionRecord> parts_;
  SequenceReport report_;
};

void check_share(const SequenceTask& task) {
  if (task.array_count != 0 && task.array_task < task.array_count) return;
  throw ConfigError("there is no task " + std::to_string(task.array_task) + " of " + std::to_string(task.array_count),
                    {}, "tasks are numbered from 0");
}

}  // namespace

SequenceReport make_sequences(const SequenceTask& task, const PipelineOptions& options, Progress& observer) try {
  const StageClock clock;
  check_name(task.name);
  check_share(task);
  validate(options.tokenizer);
  check_tokenizer(options.tokenizer);
  const TextEncoder encoder = TextEncoder::open(options.vocabulary, task.encoder, options.tokenizer);
  if (encoder.wordpiece() != nullptr) {
    require_fitting_case(options.vocabulary, options.tokenizer, encoder.sha256());
  }
  const SequenceRule rule = rule_of(task, encoder);
  std::vector<SequenceUnit> units = sequence_units(task, rule.options);
  // Splits of one formatted file each need no folders for their parts.
  if (!units.front().is_text_shard && rule.options.format == SequenceFormat::kMds) {
    std::vector<SequenceUnit> splits = whole_splits(units);
    if (splits.size() == units.size()) units = std::move(splits);
  }
  // What can't be read is refused before a folder is made.
  for (const SequenceUnit& unit : units) bytes_of_inputs(unit);
  for (const auto& inputs : {task.inputs, task.validation}) InputGuard(inputs).refuse_folder(task.folder);

  SerialProgress progress(observer);
  const OutputFolder folder = task.array_count > 1 ? OutputFolder::make_shared(task.folder) : OutputFolder(task.folder);
  SequenceReport report = SequenceWork(task, options, encoder, rule, folder, progress).run(units);
  report.stage.seconds = clock.seconds();
  return report;
} catch (...) {
  rethrow_as_error("making token sequences");
}

}  // namespace bertprep
