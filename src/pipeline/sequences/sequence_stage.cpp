// Token sequences: text shards or formatted files -> MDS, Megatron or HDF5.
#include <algorithm>
#include <iterator>
#include <mutex>

#include "base/stage_errors.h"
#include "io/input_file.h"
#include "pipeline/records/announced_shards.h"
#include "pipeline/records/damage.h"
#include "pipeline/records/output_place.h"
#include "pipeline/records/progress_journal.h"
#include "pipeline/sequences/sequence_set.h"
#include "pipeline/sequences/sequence_text.h"
#include "pipeline/stages/instance_stage.h"
#include "pipeline/stages/unformatted_text.h"
#include "pipeline/work/serial_progress.h"
#include "pipeline/work/stage_clock.h"
#include "pipeline/work/workers.h"
#include "shard/token_set.h"
#include "token/tokenizer_files.h"

namespace bertprep {
namespace {

constexpr const char* kStage = kSequenceStage;

std::uint64_t bytes_of_inputs(const SequenceUnit& unit) {
  std::uint64_t bytes = 0;
  for (const TextShardFacts& text : unit.known) bytes += text.bytes;
  if (!unit.known.empty()) return bytes;
  for (const auto& input : unit.inputs) bytes += InputFile(input).size_bytes();
  return bytes;
}

// The data of one call.
class SequenceWork {
 public:
  SequenceWork(const SequenceTask& task, const PipelineOptions& options, const SequenceModel& model,
               const OutputFolder& folder, const SequenceShare* share, Progress& progress)
      : task_(task),
        share_(share),
        options_(options),
        work_(options.work),
        model_(model),
        rule_(model.rule),
        folder_(folder),
        documents_(model.encoder, model.splitter.get()),
        set_(folder, rule_, model.recipe, options.work.force, share == nullptr ? std::string() : share->plan_key),
        encoders_([this] { return model_.encoder.clone(); }),
        progress_(progress) {}

  SequenceReport run(std::span<const SequenceUnit> units) {
    splits_ = whole_splits(units);
    set_.refuse_foreign_manifest();
    set_.refuse_other_parts(units, splits_);
    const bool is_array = share_ != nullptr || task_.array_count > 1;
    if (!work_.force) set_.refuse_other_recipes(is_array);
    report_.options = rule_.options;
    report_.stage.stage = kStage;
    // Megatron has one set per split; tasks of an array make parts of them.
    const bool by_split = rule_.options.format == SequenceFormat::kMegatron && !is_array;
    if (by_split) merge_parts(units);
    const std::span<const SequenceUnit> all = by_split ? std::span<const SequenceUnit>(splits_) : units;
    make_all(share_of(all));
    if (!is_array) complete(all);
    if (by_split) set_.remove_megatron_parts(units);
    if (!is_array) folder_.compact_records();
    return std::move(report_);
  }

 private:
  std::vector<SequenceUnit> share_of(std::span<const SequenceUnit> all) const {
    std::vector<SequenceUnit> mine;
    for (std::size_t i = 0; share_ != nullptr && i < share_->text_shards.size(); ++i) {
      mine.push_back(all[share_->text_shards[i]]);
      mine.back().known = {share_->known[i]};
    }
    if (share_ != nullptr) return mine;
    for (std::size_t i = task_.array_task; i < all.size(); i += task_.array_count) mine.push_back(all[i]);
    return mine;
  }

  // Merges the parts of a split once tasks of an array have made all of them.
  void merge_parts(std::span<const SequenceUnit> units) {
    for (const SequenceUnit& split : splits_) {
      std::vector<CompletionRecord> parts;
      std::vector<SequenceUnit> own;
      std::ranges::copy_if(units, std::back_inserter(own),
                           [&](const SequenceUnit& unit) { return unit.split == split.split; });
      for (const SequenceUnit& unit : own) {
        if (!set_.has_record(unit)) break;
        const auto found = set_.find(unit, unit.text_sha256());
        if (!found || withdraw_if_damaged(folder_, unit.task())) break;
        parts.push_back(*found);
      }
      if (parts.size() != own.size()) continue;
      set_.merge_megatron(split, own, parts, split.text_sha256());
    }
  }

  void make_all(std::span<const SequenceUnit> units) {
    parts_.resize(units.size());
    const std::size_t threads = resolve_threads(static_cast<std::size_t>(work_.threads));
    std::uint64_t largest = 0;
    for (const SequenceUnit& unit : units) {
      largest = std::max(largest, sequence_memory_bytes(bytes_of_inputs(unit), rule_.options, bytes_of(rule_.ids)));
    }
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
      if (auto found = set_.find(unit, unit.text_sha256())) {
        if (share_ != nullptr) set_.claim(unit, *found);
        note_part(unit, *found, std::nullopt);
        return std::move(*found);
      }
    }
    const auto writer = make_part_writer(folder_, unit, rule_);
    begin_making();
    const auto add = [&](const TokenizedDocuments& articles) { writer->add(articles); };
    const SequenceText text =
        unit.text == UnitText::kDocuments
            ? tokenize_documents(unit, document_rule(threads), encoders_, &folder_, progress_, add)
            : tokenize_unit(unit, line_rule(unit), size_in_bytes(max_article_within(work_.memory), "max-article"),
                            encoders_, threads, progress_, add);
    if (!work_.force) require_as_recorded(unit, text);
    FinishedPart part = writer->finish(progress_);
    if (unit.text == UnitText::kDocuments) {
      part.counts.text_bytes = text.bytes;
      part.counts.line_breaks = text.line_breaks;
      part.counts.documents = {text.rejected, text.left_out};
    }
    CompletionRecord record = set_.commit(unit, std::move(part), text.sha256);
    note_part(unit, record, text.bytes);
    return record;
  }

  DocumentRule document_rule(std::size_t threads) const {
    DocumentRule rule{
        .source = task_.source,
        .as_is = rule_.options.text == ArticleText::kAsIs,
        .line_ends = rule_.options.line_ends,
        .encoder = documents_,
        .pass = {.strict = task_.source.strict, .threads = threads, .memory_bytes = memory_bytes(work_.memory)}};
    rule.source.as_is = rule.as_is;
    if (rule.source.max_article.empty()) rule.source.max_article = max_article_within(work_.memory);
    return rule;
  }

  // WordPiece ignores text between sentences; a Megatron sequence may be a single sentence.
  LineRule line_rule(const SequenceUnit& unit) const {
    if (unit.text == UnitText::kSentences) {
      const bool by_sentence =
          rule_.options.format == SequenceFormat::kMegatron && rule_.options.level == SequenceLevel::kSentence;
      return model_.encoder.wordpiece() != nullptr || by_sentence ? LineRule::kSentences : LineRule::kJoinedSentences;
    }
    if (rule_.options.source == SequenceSource::kArticles) return LineRule::kArticles;
    return rule_.options.detokenize == Detokenization::kNone ? LineRule::kRows : LineRule::kDetokenizedRows;
  }

  // Before the first part is made.
  void begin_making() {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(is_making_, true)) set_.withdraw(splits_);
  }

  // The text read must match the records of other commands about the inputs.
  static void require_as_recorded(const SequenceUnit& unit, const SequenceText& text) {
    RecordedTexts recorded;
    for (std::size_t i = 0; i < unit.inputs.size(); ++i) {
      const auto& input = unit.inputs[i];
      const bool is_as_stored = unit.text == UnitText::kDocuments;
      require_recorded(input, is_as_stored ? recorded.file_sha256(input) : recorded.sha256(input), text.file_sha256[i]);
    }
  }

  // `bytes_in`: of text read now; nothing for an existing part.
  void note_part(const SequenceUnit& unit, const CompletionRecord& record, std::optional<std::uint64_t> bytes_in) {
    const SequenceCounts counts = sequence_counts(record);
    const std::lock_guard lock(mutex_);
    ++(bytes_in ? report_.stage.tasks_made : report_.stage.tasks_found);
    report_.stage.articles += counts.articles;
    report_.stage.rows += counts.sequences;
    report_.stage.tokens += counts.tokens;
    report_.stage.bytes_in += bytes_in.value_or(0);
    report_.stage.bytes_out += counts.bytes;
    report_.stage.rejected += counts.documents.rejected.total();
    report_.stage.rejected_by_reason.add(counts.documents.rejected);
    report_.stage.left_out.add(counts.documents.left_out);
    if (report_.stage.rejects_file.empty() && report_.stage.rejected != 0) {
      report_.stage.rejects_file = RejectFile::path_of(folder_, rejects_name(unit));
    }
  }

  // `units` are the parts.
  void complete(std::span<const SequenceUnit> units) {
    for (std::size_t i = 0; i < units.size(); ++i) report_.splits[units[i].split] += sequence_counts(parts_[i]);
    std::vector<CompletionRecord> all = parts_;
    if (rule_.options.format == SequenceFormat::kMds && !units.front().is_whole_split) {
      for (const SequenceUnit& split : splits_) all.push_back(set_.merge_mds(split, units, parts_));
    }
    if (options_.tokenizer.custom == nullptr) {
      const std::int64_t longest = std::max(rule_.options.max_tokens, rule_.options.blocks);
      all.push_back(set_.put_tokenizer(huggingface_files(model_.encoder, options_.tokenizer, longest), progress_));
    }
    const std::string manifest = sequence_manifest(task_, model_.recipe, model_.encoder.name(), report_.splits, all);
    if (read_file_if_any(folder_.path() / Manifest::kFileName) != manifest) {
      folder_.publish_small(Manifest::kFileName, manifest);
    }
  }

  const SequenceTask& task_;
  const SequenceShare* share_;
  const PipelineOptions& options_;
  const WorkOptions& work_;
  const SequenceModel& model_;
  const SequenceRule& rule_;
  const OutputFolder& folder_;
  DocumentEncoder documents_;
  SequenceSet set_;
  EncoderPool encoders_;
  Progress& progress_;
  std::mutex mutex_;
  std::vector<SequenceUnit> splits_;
  bool is_making_ = false;
  std::vector<CompletionRecord> parts_;
  SequenceReport report_;
};

// Refuses unreadable inputs before making a folder.
void check_inputs(const SequenceTask& task, std::span<const SequenceUnit> units, const PipelineOptions& options) {
  for (const SequenceUnit& unit : units) bytes_of_inputs(unit);
  for (const auto& inputs : {task.inputs, task.validation}) {
    InputGuard(inputs).refuse_folder(task.folder);
    if (!options.work.force && task.known.empty() && units.front().text != UnitText::kDocuments) {
      refuse_unformatted(inputs);
    }
  }
}

}  // namespace

std::uint64_t sequence_id_bytes(IdChoice ids) {
  return ids == IdChoice::kInt64 ? 8 : ids == IdChoice::kInt32 ? 4 : 2;
}

std::uint64_t sequence_memory_bytes(std::uint64_t text_bytes, const SequenceOptions& resolved, std::uint64_t id_bytes) {
  constexpr std::uint64_t kBlocks = std::uint64_t{16} << 20U;
  if (resolved.format == SequenceFormat::kHdf5) return kBlocks + 4 * text_bytes;
  if (resolved.format == SequenceFormat::kMegatron) return kBlocks + text_bytes / 8;
  const std::uint64_t ids = text_bytes * id_bytes;
  return kBlocks + 2 * std::min(size_limit_of(resolved).value_or(ids / 2), ids);
}

SequenceReport make_sequences(const SequenceTask& task, const PipelineOptions& options, Progress& progress) try {
  require_task(task.array_task, task.array_count);
  return make_sequences(task, SequenceModel(task, options), options, progress);
} catch (...) {
  rethrow_as_error("making token sequences");
}

SequenceReport make_sequences(const SequenceTask& task, const SequenceModel& model, const PipelineOptions& options,
                              Progress& observer, const SequenceShare* share) try {
  const StageClock clock;
  require_task(task.array_task, task.array_count);
  const std::vector<SequenceUnit> units = sequence_units(task, model.rule.options);
  if (share == nullptr) check_inputs(task, units, options);

  SerialProgress progress(observer);
  const auto make = [&](const OutputFolder& folder, Progress& journal) {
    return SequenceWork(task, options, model, folder, share, journal).run(units);
  };
  const auto make_in_array = [&](const OutputFolder& folder) {
    folder.remove_abandoned();
    return make(folder, progress);
  };
  const auto make_alone = [&](const OutputFolder& folder) {
    return StageJournal::record({folder.state_folder()}, kStage, progress,
                                [&](Progress& journal) { return make(folder, journal); });
  };
  // Tasks of an array job make no folders.
  SequenceReport report = share != nullptr       ? make_in_array(OutputFolder::shared(task.folder))
                          : task.array_count > 1 ? make_in_array(OutputFolder::make_shared(task.folder))
                                                 : make_alone(OutputFolder(task.folder));
  clock.measure(report.stage);
  return report;
} catch (...) {
  rethrow_as_error("making token sequences");
}

void refuse_other_sequences(const SequenceTask& task, const SequenceModel& model) {
  const auto folder = OutputFolder::find_shared(task.folder);
  if (!folder) return;
  const SequenceSet set(*folder, model.rule, model.recipe, false);
  set.refuse_foreign_manifest();
  set.refuse_other_recipes(false);
  if (task.inputs.empty()) return;
  const std::vector<SequenceUnit> units = sequence_units(task, model.rule.options);
  set.refuse_other_parts(units, whole_splits(units));
}

bool are_sequences_done(const SequenceTask& task, const SequenceModel& model) {
  const auto folder = OutputFolder::find_shared(task.folder);
  if (!folder || !is_sequence_set(task.folder)) return false;
  std::vector<SequenceUnit> units = sequence_units(task, model.rule.options);
  if (model.rule.options.format == SequenceFormat::kMegatron) units = whole_splits(units);
  return std::ranges::all_of(units, [&](const SequenceUnit& unit) {
    return folder->finished(unit.task(), model.recipe.key(unit.text_sha256())).has_value();
  });
}

}  // namespace bertprep
