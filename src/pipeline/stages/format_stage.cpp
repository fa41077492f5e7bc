// Formatting: documents -> one article per line.
#include <algorithm>

#include "base/fields.h"
#include "base/number_text.h"
#include "base/stage_errors.h"
#include "bertprep/pipeline/stages.h"
#include "io/digest.h"
#include "io/folder.h"
#include "io/output_file.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/damage.h"
#include "pipeline/records/input_digest.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/records/output_place.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/reject_file.h"
#include "pipeline/records/resumption.h"
#include "pipeline/records/run_expectation.h"
#include "pipeline/records/saved_index.h"
#include "pipeline/stages/corpus_pieces.h"
#include "pipeline/stages/format_pass.h"
#include "pipeline/stages/loaded_stages.h"
#include "pipeline/stages/origins_file.h"
#include "pipeline/stages/template_report.h"
#include "pipeline/stages/unfinished_format.h"
#include "pipeline/work/stage_clock.h"
#include "pipeline/work/workers.h"
#include "source/input/deferred_work.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFormatStage = "format";
constexpr const char* kRejects = ".rejects.jsonl";

// Checked before anything is made.
void refuse_own_input(const FormatStep& task) {
  const InputGuard guard(task.parts);
  guard.refuse_file(task.file);
  guard.refuse_file(origins_name(task.file.string()));
  for (const CorpusPart& part : task.parts) {
    if (!part.wiki.templates.empty() && !fs::exists(part.wiki.templates)) guard.refuse_folder(part.wiki.templates);
  }
}

OutputFolder open_folder(const FormatStep& task, const WorkOptions& work) {
  require_output_file(task.file);
  OutputFolder folder = task.is_intermediate ? OutputFolder(folder_of(task.file)) : OutputFolder::of_file(task.file);
  const std::string name = format_task_name(task);
  if (!work.force) folder.refuse_foreign(name, std::array{name, origins_name(name)});
  return folder;
}

// The unfinished formatted file and its companions: those of this process, or `unfinished` ones, which the next
// process continues, as this one does with `start`.
class FormattedFiles {
 public:
  FormattedFiles(const OutputFolder& folder, const FormatStep& task, const UnfinishedFormat* unfinished,
                 FormatStart* start, Progress& progress)
      : folder_(folder),
        task_(task),
        name_(task.file.filename().string()),
        unfinished_(unfinished),
        has_checkpoint_(start != nullptr),
        checkpoint_(start == nullptr ? FormatCheckpoint() : start->checkpoint),
        text_(begin(folder.path() / name_, &UnfinishedFormat::text), checkpoint_.text.bytes),
        origins_(begin(folder.path() / origins_name(name_), &UnfinishedFormat::origins), checkpoint_.origins.bytes),
        rejects_(begin(RejectFile::path_of(folder, name_ + kRejects), &UnfinishedFormat::rejects),
                 checkpoint_.rejects.bytes, checkpoint_.rejected, start == nullptr ? Xxh3() : std::move(start->rejects),
                 progress) {
    if (task.splitter == nullptr) return;
    blocks_.emplace(*task.splitter, task.keep_lines);
    saved_index_.emplace(folder, name_, *task.splitter, task.keep_lines);
    index_.emplace(begin(saved_index_->path(), &UnfinishedFormat::index), checkpoint_.index.bytes);
  }

  // Writes checkpoints for what is made of `identity`.
  void keep_checkpoints(FormatIdentity identity, std::uint64_t every_bytes) {
    checkpoint_.identity = std::move(identity);
    checkpoint_every_ = every_bytes;
  }
  // Of this process or an earlier one.
  bool has_checkpoint() const { return has_checkpoint_; }

  FormatOutputs outputs() {
    return {.text = &text_.out,
            .compress = is_compressed(),
            .origins = &origins_.out,
            .index = index_ ? &index_->out : nullptr,
            .splitter = blocks_ ? &*blocks_ : nullptr};
  }
  RejectFile& rejects() { return rejects_; }

  // As FormatObserver: writes a checkpoint now and then.
  void written(const FormatState& state, const ReadPlace& place) {
    if (unfinished_ == nullptr || state.counts.text_bytes < checkpoint_.counts.text_bytes + checkpoint_every_) return;
    has_checkpoint_ = true;
    text_.out.flush();
    origins_.out.flush();
    if (index_) index_->out.flush();
    checkpoint_.place = place;
    checkpoint_.counts = state.counts;
    checkpoint_.counts.text_sha256 = state.text.so_far();
    checkpoint_.rejected = rejects_.reasons();
    checkpoint_.text = {text_.out.size_bytes(), is_compressed() ? state.file.so_far() : checkpoint_.counts.text_sha256};
    checkpoint_.origins = {origins_.out.size_bytes(), state.origins.finish()};
    checkpoint_.index = {index_ ? index_->out.size_bytes() : 0, state.index.finish()};
    checkpoint_.rejects = {rejects_.flush(), rejects_.xxh3()};
    unfinished_->write(checkpoint_);
  }

  // Gives the files their names, the formatted file last.
  void publish(const FormatCounts& counts, CompletionRecord& record) {
    text_.out.finish();
    origins_.out.finish();
    rejects_.finish();
    record.outputs = {{name_, text_.out.size_bytes(), counts.file_sha256}};
    folder_.begin_task(name_, record);
    if (index_) {
      index_->out.finish();
      saved_index_->save(index_->pending, counts.text_sha256);
    }
    if (counts.has_origins) {
      add_origins(origins_.pending.path(), origins_name(name_), record);
      origins_.pending.publish();
    } else {
      std::error_code ignored;
      fs::remove(origins_.pending.final_path(), ignored);
    }
    text_.pending.publish();
  }

 private:
  bool is_compressed() const { return task_.file.extension() == ".zst"; }

  PendingFile begin(const fs::path& final_path, fs::path (UnfinishedFormat::*kept)() const) const {
    return unfinished_ == nullptr ? folder_.begin_for(final_path)
                                  : PendingFile::kept_at((unfinished_->*kept)(), final_path);
  }

  const OutputFolder& folder_;
  const FormatStep& task_;
  std::string name_;
  const UnfinishedFormat* unfinished_;
  bool has_checkpoint_;
  FormatCheckpoint checkpoint_;  // the last one
  OpenFile text_;
  OpenFile origins_;
  RejectFile rejects_;
  std::optional<BlockSplitter> blocks_;
  std::optional<SavedIndex> saved_index_;
  std::optional<OpenFile> index_;
  std::uint64_t checkpoint_every_ = 0;
};

void refuse_empty(const FormatCounts& counts, const RejectFile& rejects, const FormatStep& task) {
  if (counts.articles != 0) return;
  const std::string name = task.file.filename().string();
  if (rejects.count() == 0) throw FormatError("no article was found", name, "check the input and its `format`");
  throw FormatError("no article was found, every record was rejected: " + rejects.first_reason(), name,
                    "check `format`, and that `text_field` names the field of the text");
}

// The documents of a task.
struct FormatInput {
  DocumentSource& source;
  std::vector<Rejection>& read_rejects;
  std::uint64_t bytes = 0;
  std::function<std::string()> key;  // of the record, after reading all
  FormatState state{};               // of an earlier process
};

// Lines that are not sentences, and are read as if they were, or the other way round.
std::string note_on_lines(const LinePairs& pairs, std::span<const CorpusPart> parts) {
  constexpr std::size_t kMinPairs = 20;
  if (pairs.all < kMinPairs) return {};
  const bool ends_all =
      std::ranges::any_of(parts, [](const CorpusPart& part) { return part.source.line_breaks == LineBreaks::kLine; });
  if (ends_all && pairs.are_wrapped()) {
    return "lines are broken to fit a width, and each becomes a sentence; `line_breaks` paragraph joins them";
  }
  if (ends_all || pairs.open() * 3 < pairs.all) return {};
  return counted_of(pairs.open(), pairs.all, "line", "ends", "end") +
         " without the end of a sentence, as headings and items of lists do; `line_breaks` line ends one there";
}

// Reads the input to its end, publishes the result and writes `record`.
StageReport write_formatted(FormatInput input, const FormatStep& task, const WorkOptions& work,
                            const OutputFolder& folder, FormattedFiles& files, CompletionRecord& record,
                            Progress& progress) {
  const fs::path templates = template_report_of(task.parts);
  FormatPass pass{.keep_lines = task.keep_lines,
                  .as_is = task.as_is,
                  .strict = is_strict(task.parts),
                  .count_templates = !templates.empty(),
                  .normalizer = task.normalizer.get(),
                  .threads = resolve_threads(static_cast<std::size_t>(work.threads)),
                  .memory_bytes = memory_bytes(work.memory)};
  const FormatCounts counts =
      pass.run(input.source, input.read_rejects, files.outputs(), &files.rejects(), progress, std::move(input.state),
               [&](const FormatState& state, const ReadPlace& place) { files.written(state, place); });
  if (input.bytes > counts.reported_bytes) progress.advance(input.bytes - counts.reported_bytes);
  refuse_empty(counts, files.rejects(), task);
  if (const std::string note = note_on_lines(counts.line_pairs, task.parts); !note.empty()) progress.note(note);
  record.key = input.key();

  files.publish(counts, record);
  add_formatted(counts, files.rejects().reasons(), record.counts);
  for (const CorpusPart& part : task.parts) add_made_templates(part.wiki, record);
  write_template_report(templates, counts.templates, record.counts);
  folder.write_record(format_task_name(task), record);
  StageReport report = found_report(kFormatStage, record, files.rejects().path());
  report.tasks_found = 0;
  report.tasks_made = 1;
  report.bytes_in = counts.source_bytes;
  return report;
}

void say_guesses(std::span<const CorpusPart> parts, Progress& progress) {
  for (const CorpusPart& part : parts) {
    const std::string guess = describe_guess(part.inputs, part.source);
    if (!guess.empty()) progress.note(guess);
  }
}

struct CorpusFiles {
  std::span<const fs::path> files;
  std::uint64_t bytes = 0;
};

// The recipe of what `start` was made of; nothing if it is not what `task` makes now.
std::optional<Recipe> recipe_of_unfinished(const FormatStep& task, const FormatIdentity& made, std::string_view inputs,
                                           std::string_view index) {
  if (made.inputs != inputs || made.index != index) return std::nullopt;
  const Recipe recipe = format_recipe(task, made.record);
  return recipe.json().dump_line() == made.record.recipe.dump_line() ? std::optional(recipe) : std::nullopt;
}

std::string identity_of_index(const FormatStep& task) {
  if (task.splitter == nullptr) return {};
  return std::string(kSentenceIndexVersion) + " " + (task.keep_lines ? "lines " : "") + identity_of(*task.splitter);
}

// Resumes where a killed process has stopped, if there was one with the same recipe and inputs.
StageReport format_corpus(const FormatStep& task, const WorkOptions& work, const CorpusFiles& corpus,
                          const OutputFolder& folder, Recipe recipe, Progress& progress) {
  FormatIdentity identity{{}, versions_of(corpus.files), identity_of_index(task)};
  const auto unfinished = UnfinishedFormat::claim(folder, format_task_name(task));
  std::optional<FormatStart> start;
  if (unfinished && !work.force) {
    const auto is_wanted = [&](const FormatIdentity& made) {
      const auto used = recipe_of_unfinished(task, made, identity.inputs, identity.index);
      if (used) recipe = *used;
      return used.has_value();
    };
    start = unfinished->find(is_wanted, task.file.extension() == ".zst", progress);
  }
  if (unfinished && !start) unfinished->reset();
  FormattedFiles files(folder, task, unfinished ? &*unfinished : nullptr, start ? &*start : nullptr, progress);
  try {
    CompletionRecord record{.key = {}, .outputs = {}, .recipe = recipe.json()};
    std::vector<Rejection> rejections;
    const RejectSink reject = collect_rejects(rejections);
    const std::vector<CorpusPart> parts = within_memory(task.parts, work.memory);
    const TaskRunner runner = task_runner(static_cast<std::size_t>(work.threads), memory_bytes(work.memory));
    InputHasher hasher;
    const auto source = start ? open_corpus_after(parts, start->checkpoint.place, reject, runner)
                              : open_corpus(parts, reject, runner, &hasher);
    FormatInput input{*source, rejections, corpus.bytes, [&] {
                        if (!work.force) require_recorded(corpus.files, progress);
                        return recipe.key(hasher.finish(corpus.files, progress).digest);
                      }};
    if (start) {
      progress.note("format: resumes after the " + counted(start->state.counts.articles, "article") +
                    " that an interrupted call has written");
      progress.advance(start->state.counts.reported_bytes);
      input.state = std::move(start->state);
    }
    identity.record.recipe = recipe.json();
    for (const CorpusPart& part : task.parts) add_made_templates(part.wiki, identity.record);
    // A checkpoint repeats all counts of templates.
    const bool has_templates = !template_report_of(task.parts).empty();
    files.keep_checkpoints(std::move(identity), (has_templates ? 16 : 1) * task.checkpoint_bytes);
    StageReport report = write_formatted(std::move(input), task, work, folder, files, record, progress);
    if (unfinished) unfinished->remove();
    return report;
  } catch (const FormatError&) {
    if (unfinished) unfinished->remove();
    throw;
  } catch (...) {
    if (unfinished && !files.has_checkpoint()) unfinished->remove();
    throw;
  }
}

}  // namespace

StageReport format_articles(const FormatTask& task, const WorkOptions& work, Progress& progress) {
  return format_articles(FormatStep{task}, work, progress);
}

StageReport format_articles(DocumentSource& source, const FormatTask& task, const WorkOptions& work,
                            Progress& progress) {
  return format_articles(source, FormatStep{task}, work, progress);
}

StageReport format_articles(const FormatStep& task, const WorkOptions& work, Progress& progress) try {
  const StageClock clock;
  for (const CorpusPart& part : task.parts) {
    validate(part.source);
    check(part.wiki);
  }
  if (task.normalizer != nullptr) check_component(*task.normalizer, "the text normalizer");
  refuse_own_input(task);
  const std::array results{task.file, fs::path(origins_name(task.file.string()))};
  check_template_report(template_report_of(task.parts), InputGuard(task.parts), results, work.force);
  const OutputFolder folder = open_folder(task, work);
  const std::string name = format_task_name(task);
  const auto known = folder.record(name);
  const Recipe recipe = format_recipe(task, known);
  const std::vector<fs::path> files = files_of_corpus(task.parts);
  const InputDigest inputs =
      task.input_digest.empty()
          ? identify_input(files, {kFormatStage, size_of_corpus(task.parts)}, known && !work.force, progress)
          : InputDigest{task.input_digest, task.input_bytes};

  // An equal process has finished meanwhile: its result is taken.
  if (!known && !work.force && folder.record(name)) return format_articles(task, work, progress);
  progress.begin(kFormatStage, inputs.bytes, "bytes");
  const std::string key = recipe.key(inputs.digest);
  const auto earlier = known && !work.force ? folder.finished(name, key) : std::nullopt;
  StageReport report;
  // With `strict`, bad records of an earlier call are an error.
  const bool is_unfit = earlier && is_strict(task.parts) && counts_of(*earlier).rejected != 0;
  if (earlier && !is_unfit && is_recorded_report(template_report_of(task.parts), earlier->counts)) {
    UnfinishedFormat::remove_leftovers(folder, name);
    report =
        found_report(kFormatStage, *earlier, RejectFile::path_of(folder, task.file.filename().string() + kRejects));
  } else {
    if (known && !work.force && !task.is_intermediate) refuse_other_result(folder, name, recipe, key);
    std::optional<TextClaim> claim;
    if (task.is_intermediate) claim.emplace(folder, task.file, task.parts, known, inputs.digest, work.force, progress);
    if (!work.force) keep_edited(folder, name, progress);
    say_guesses(task.parts, progress);
    try {
      report = format_corpus(task, work, {files, inputs.bytes}, folder, recipe, progress);
    } catch (const FormatError&) {
      if (claim) claim->withdraw();
      throw;
    }
  }
  clock.measure(report);
  progress.end();
  return report;
} catch (...) {
  rethrow_as_error("formatting");
}

StageReport format_articles(DocumentSource& source, const FormatStep& task, const WorkOptions& work,
                            Progress& progress) try {
  const StageClock clock;
  const OutputFolder folder = open_folder(task, work);
  progress.begin(kFormatStage, 0, "bytes");
  std::vector<Rejection> none;
  CompletionRecord record;
  // The documents can't be identified, so no later call reuses the result.
  const auto no_key = [] { return std::string(); };
  FormattedFiles files(folder, task, nullptr, nullptr, progress);
  StageReport report = write_formatted({source, none, 0, no_key}, task, work, folder, files, record, progress);
  clock.measure(report);
  progress.end();
  return report;
} catch (...) {
  rethrow_as_error("formatting");
}

}  // namespace bertprep
