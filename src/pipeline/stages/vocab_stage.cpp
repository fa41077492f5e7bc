// Training a vocabulary: documents -> one piece per line.

#include "base/fields.h"
#include "base/stage_errors.h"
#include "bertprep/base/error.h"
#include "bertprep/pipeline/stages.h"
#include "io/digest.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/damage.h"
#include "pipeline/records/input_digest.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/records/output_place.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/reject_file.h"
#include "pipeline/records/resumption.h"
#include "pipeline/records/run_expectation.h"
#include "pipeline/stages/corpus_pieces.h"
#include "pipeline/work/stage_clock.h"
#include "pipeline/work/workers.h"
#include "source/input/deferred_work.h"
#include "source/input/input_list.h"
#include "source/source_pieces.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVocab = "vocab";
constexpr const char* kVocabRejects = ".rejects.jsonl";

// Vocabularies are edited by hand; an edited one belongs to the user.
void refuse_changed(const OutputFolder& folder, const std::string& name) {
  const fs::path file = folder.path() / name;
  const auto record = folder.record(name);
  if (!record || !fs::is_regular_file(file) || sha256_of_file(file) == record->outputs.front().sha256) return;
  throw FormatError("was changed since it was made", file,
                    "give the new one another name, or replace this one with `force`");
}

OutputFolder open_vocab_folder(const VocabTask& task, const WorkOptions& work) {
  const InputGuard guard(task.parts);
  guard.refuse_file(task.file);
  require_output_file(task.file);
  OutputFolder folder = OutputFolder::of_file(task.file);
  const std::string name = task.file.filename().string();
  if (work.force) return folder;
  folder.refuse_foreign(name, std::array{name});
  refuse_changed(folder, name);
  return folder;
}

constexpr auto kLetterCounts = std::to_array<std::pair<const char*, std::uint64_t LettersLeftOut::*>>(
    {{"letters_left_out", &LettersLeftOut::letters},
     {"letter_uses_left_out", &LettersLeftOut::uses},
     {"letter_uses", &LettersLeftOut::all_uses}});

constexpr auto kWordCounts =
    std::to_array<std::pair<const char*, std::uint64_t WordsChanged::*>>({{"words_changed", &WordsChanged::words},
                                                                          {"words_too_long", &WordsChanged::too_long},
                                                                          {"words", &WordsChanged::all}});

VocabReport found_vocab(const CompletionRecord& record, const fs::path& rejects) {
  VocabReport report{.stage = found_report(kVocab, record, rejects)};
  report.pieces = record.counts.at("pieces").as_unsigned();
  for (const auto& [name, member] : kLetterCounts) {
    if (const Json* count = record.counts.find(name)) report.letters.*member = count->as_unsigned();
  }
  for (const auto& [name, member] : kWordCounts) {
    if (const Json* count = record.counts.find(name)) report.words.*member = count->as_unsigned();
  }
  return report;
}

// Reads the corpus to its end. Returns its numbers of articles and bytes, and what it left out.
StageReport read_text(const VocabTask& task, const WorkOptions& work, RejectFile& rejects, ReadObserver& observer,
                      VocabTrainer& trainer, Progress& progress) {
  const RejectSink sink = [&rejects](const std::string& where, const std::string& reason, std::string_view record) {
    rejects.add(where, reason, record);
  };
  const TaskRunner runner = task_runner(static_cast<std::size_t>(work.threads), memory_bytes(work.memory));
  const auto source = finish_documents(open_corpus(within_memory(task.parts, work.memory), sink, runner, &observer),
                                       is_strict(task.parts) ? RejectSink{} : sink);
  StageReport report;
  const auto tell = [&] {
    for (const RecordRemark& remark : source->take_remarks()) progress.remarked(remark);
    const std::uint64_t read = source->input_bytes_read().value_or(report.bytes_in);
    progress.advance(read - std::exchange(report.bytes_in, read));
  };
  Document document;
  while (source->next(document)) {
    stop_if_cancelled(progress);
    tell();
    trainer.add_text(document.text);
    ++report.articles;
  }
  tell();
  report.left_out.add(source->take_left_out());
  return report;
}

VocabReport make_vocab(const VocabTask& task, const WorkOptions& work, const OutputFolder& folder, const Recipe& recipe,
                       Progress& progress) {
  const std::string name = task.file.filename().string();
  CompletionRecord record{.key = {}, .outputs = {}, .recipe = recipe.json()};
  RejectFile rejects(folder, name + kVocabRejects, progress);
  VocabTrainer trainer(task.trainer);
  InputHasher hasher;
  const StageReport read = read_text(task, work, rejects, hasher, trainer, progress);
  const std::vector<fs::path> files = files_of_corpus(task.parts);
  if (!work.force) require_recorded(files, progress);
  record.key = recipe.key(hasher.finish(files, progress).digest);
  VocabReport counts;
  std::string text;
  for (const std::string& piece : trainer.train(progress, &counts.letters, &counts.words)) {
    text += piece + "\n";
    ++counts.pieces;
  }
  rejects.finish();
  record.outputs = {{name, text.size(), sha256_of(text)}};
  record.counts.add("pieces", Json::number(counts.pieces))
      .add("articles", Json::number(read.articles))
      .add("rejected", Json::number(rejects.count()))
      .add(kRejectedByReason, json_of(rejects.reasons()));
  for (const auto& [count, member] : kLetterCounts) record.counts.add(count, Json::number(counts.letters.*member));
  for (const auto& [count, member] : kWordCounts) record.counts.add(count, Json::number(counts.words.*member));
  folder.begin_task(name, record);
  folder.publish_small(name, text);
  folder.write_record(name, record);
  VocabReport report = found_vocab(record, rejects.path());
  report.stage.tasks_found = 0;
  report.stage.tasks_made = 1;
  report.stage.left_out = read.left_out;
  report.stage.bytes_in = read.bytes_in;
  return report;
}

}  // namespace

VocabReport train_vocab(const VocabTask& task, const WorkOptions& work, Progress& progress) try {
  const StageClock clock;
  for (const CorpusPart& part : task.parts) {
    validate(part.source);
    refuse_pipes(part.inputs);
  }
  validate(task.trainer);
  const OutputFolder folder = open_vocab_folder(task, work);
  const std::string name = task.file.filename().string();
  const Recipe recipe = vocab_recipe(task);
  const bool has_record = !work.force && folder.record(name);
  const InputDigest inputs =
      identify_input(files_of_corpus(task.parts), {kVocab, size_of_corpus(task.parts)}, has_record, progress);
  // An equal process has finished meanwhile: its result is taken.
  if (!has_record && !work.force && folder.record(name)) return train_vocab(task, work, progress);
  const std::string key = recipe.key(inputs.digest);
  progress.begin(kVocab, inputs.bytes, "bytes");
  const auto earlier = has_record ? folder.finished(name, key) : std::nullopt;
  // With `strict`, bad records of an earlier call are an error.
  const bool is_found = earlier && !(is_strict(task.parts) && counts_of(*earlier).rejected != 0);
  if (!is_found && has_record) refuse_other_result(folder, name, recipe, key);
  VocabReport report = is_found ? found_vocab(*earlier, RejectFile::path_of(folder, name + kVocabRejects))
                                : make_vocab(task, work, folder, recipe, progress);
  clock.measure(report.stage);
  progress.end();
  return report;
} catch (...) {
  rethrow_as_error("training a vocabulary");
}

}  // namespace bertprep
