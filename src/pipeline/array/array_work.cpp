#include "pipeline/array/array_work.h"

#include <algorithm>
#include <numeric>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/input_file.h"
#include "io/output_file.h"
#include "pipeline/array/array_extract.h"
#include "pipeline/array/bundle.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/damage.h"
#include "pipeline/records/dataset_vocab.h"
#include "pipeline/records/input_digest.h"
#include "pipeline/records/output_place.h"
#include "pipeline/records/owned_files.h"
#include "pipeline/records/progress_journal.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/reject_file.h"
#include "pipeline/sequences/sequence_model.h"
#include "pipeline/stages/format_pass.h"
#include "pipeline/stages/instance_stage.h"
#include "pipeline/stages/loaded_stages.h"
#include "pipeline/stages/origins_file.h"
#include "pipeline/stages/template_report.h"
#include "pipeline/text_shards/sentence_index.h"
#include "pipeline/text_shards/shard_assignment.h"
#include "pipeline/work/serial_progress.h"
#include "pipeline/work/workers.h"
#include "shard/token_set.h"
#include "source/input/deferred_work.h"
#include "stream/open_stream.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInputs = "inputs";  // in the record of a piece
constexpr const char* kIndexEnding = ".sentences";

constexpr const char* kHint = "run `stage` format again, then this one; 'bertprep retry-list' names the tasks";

constexpr const char* kPlaceAgain = "run `stage` place again, then this one";

template <class Read>
auto read_assignment(const ArrayState& state, const Read& read) {
  return read_result(OutputFolder::shared(state.layout.shard), kAssignmentTask, kPlaceAgain, read);
}

// The unfinished files of one piece.
class PieceFiles {
 public:
  PieceFiles(const OutputFolder& folder, const std::string& name, const BlockSplitter& splitter, Progress& progress)
      : folder_(folder),
        name_(name),
        text_(begin(".txt.zst")),
        index_(begin(kIndexEnding)),
        origins_(begin(origins_name(".txt.zst"))),
        splitter_(splitter),
        rejects_(folder, name + ".rejects.jsonl", progress) {}

  FormatOutputs outputs() {
    return {.text = &text_, .compress = true, .origins = &origins_, .index = &index_, .splitter = &splitter_};
  }
  RejectFile& rejects() { return rejects_; }

  // Another file of the piece, before commit().
  fs::path begin(const std::string& ending) { return files_.emplace_back(folder_.begin(name_ + ending)).path(); }

  void commit(CompletionRecord record) {
    text_.finish();
    index_.finish();
    origins_.finish();
    rejects_.finish();
    for (const PendingFile& file : files_) record.outputs.push_back(OutputFolder::describe(file));
    folder_.commit(name_, std::move(record), files_);
  }

 private:
  const OutputFolder& folder_;
  std::string name_;
  std::vector<PendingFile> files_;
  OutputFile text_;
  OutputFile index_;
  OutputFile origins_;
  const BlockSplitter& splitter_;
  RejectFile rejects_;
};

// Those of a plan that did not see them.
Json inputs_of(std::span<const std::filesystem::path> files, const Progress& progress) {
  Json list = Json::array();
  for (const std::filesystem::path& file : files) {
    const FileDigests digests = digests_of_file(file, progress);
    list.push(Json::object()
                  .add("xxh3", Json::string(digests.xxh3))
                  .add("sha256", Json::string(digests.sha256))
                  .add("bytes", Json::number(digests.bytes)));
  }
  return list;
}

FormatCounts format_piece(const ArrayState& state, std::size_t number, const FormatPass& pass,
                          const BlockSplitter& splitter, const OutputFolder& folder, Progress& progress,
                          StageReport& report) {
  const std::string name = ArrayPlan::piece_name(number);
  // That of a plan that kept less; one that another attempt has just written stays.
  const auto earlier = keeps_docs(state.plan, number) ? folder.record(name) : std::nullopt;
  if (earlier && !doc_counts_in(*earlier)) folder.withdraw_record(name);
  std::vector<Rejection> rejections;
  const auto source = open_corpus_piece(state.run.parts, state.plan.pieces[number], collect_rejects(rejections),
                                        task_runner(pass.threads, pass.memory_bytes));
  PieceFiles files(folder, name, splitter, progress);
  const FormatCounts counts = pass.run(*source, rejections, files.outputs(), &files.rejects(), progress);

  CompletionRecord record{.key = state.plan.format_key, .outputs = {}};
  record.recipe.add("stage", Json::string(kPieceStage));
  record.counts = json_of(counts)
                      .add("rejected", Json::number(files.rejects().count()))
                      .add(kRejectedByReason, json_of(files.rejects().reasons()));
  if (state.plan.is_listed) record.counts.add(kInputs, inputs_of(state.plan.pieces[number].input.files, progress));
  if (keeps_docs(state.plan, number)) {
    extract_piece(state.plan, number, pass, folder, files.begin(kPieceDocs), record, progress);
  }
  report.rejected += files.rejects().count();
  report.rejected_by_reason.add(files.rejects().reasons());
  report.left_out.add(counts.left_out);
  files.commit(std::move(record));
  return counts;
}

// Sums over all pieces.
struct PieceSums {
  ArticleSizes sizes;
  std::vector<std::uint64_t> first_articles{0};
  FormatCounts counts;
  ReasonCounts rejected;
  std::uint64_t file_bytes = 0;
  std::vector<std::string> pieces;  // that have articles
  std::vector<OutputEntry> texts;   // their texts
  std::vector<FileDigests> inputs;  // of a plan that is_listed
};

PieceSums sum_pieces(const ArrayState& state, const OutputFolder& folder, Progress& progress) {
  PieceSums sums;
  std::vector<std::uint64_t> documents;
  for (std::size_t piece = 0; piece < state.plan.pieces.size(); ++piece) {
    stop_if_cancelled(progress);
    const std::string name = ArrayPlan::piece_name(piece);
    const CompletionRecord record = record_of_piece(state, folder, name);
    FormatCounts counts = format_counts_in(record.counts);
    const bool has_text = counts.text_bytes != 0;
    documents.push_back(counts.documents);
    sums.counts.add(std::move(counts));
    sums.rejected.add(reasons_in(record.counts, kRejectedByReason));
    sums.file_bytes += record.outputs.front().size_bytes;
    sums.first_articles.push_back(sums.counts.articles);
    if (state.plan.is_listed) {
      const std::vector<FileDigests> files = inputs_in(record);
      sums.inputs.insert(sums.inputs.end(), files.begin(), files.end());
    }
    if (!has_text) continue;
    sums.pieces.push_back(name);
    sums.texts.push_back(record.outputs.front());
    const ArticleSizes sizes = read_result(
        folder, name, kHint, [&] { return sizes_of_index(intact_output(folder, name + kIndexEnding, record)); });
    sums.sizes.sentences.insert(sums.sizes.sentences.end(), sizes.sentences.begin(), sizes.sentences.end());
    sums.sizes.bytes.insert(sums.sizes.bytes.end(), sizes.bytes.begin(), sizes.bytes.end());
    sums.sizes.total_sentences += sizes.total_sentences;
  }
  require_articles(state.run.parts, state.plan.pieces, documents);
  if (sums.counts.articles == 0) {
    throw FormatError("no article was found", state.run.options.corpus.name, "check the input and its `format`");
  }
  return sums;
}

// Digests of a single process's formatted file: of its text, and of the concatenated pieces.
struct WholeDigests {
  std::string text_sha256;
  std::string file_sha256;
};

WholeDigests digest_whole(const fs::path& folder, std::span<const OutputEntry> texts, std::size_t threads,
                          Progress& progress) {
  Sha256 text;
  Sha256 file;
  const auto hash_text = [&] {
    for (const OutputEntry& output : texts) {
      const auto stream = open_stream(folder / output.name);
      for (std::string_view block = stream->next_block(); !block.empty(); block = stream->next_block()) {
        if (progress.cancelled()) throw Cancelled();
        text.update(block);
      }
    }
  };
  const auto hash_file = [&] {
    for (const OutputEntry& output : texts) {
      if (progress.cancelled()) throw Cancelled();
      const MappedFile mapped(folder / output.name);
      file.update(mapped.bytes());
      if (sha256_of(mapped.bytes()) != output.sha256) throw FormatError("is damaged", folder / output.name, kHint);
    }
  };
  for_each_task(2, threads, progress, [&](std::size_t which) { which == 0 ? hash_text() : hash_file(); });
  return {text.finish(), file.finish()};
}

// The same, but withdraws all pieces with damaged text.
WholeDigests digest_intact(const PieceSums& sums, const OutputFolder& folder, std::size_t threads, Progress& progress) {
  try {
    return digest_whole(folder.path(), sums.texts, threads, progress);
  } catch (const FormatError& error) {
    bool is_damage = false;
    for (const std::string& piece : sums.pieces) is_damage |= withdraw_if_damaged(folder, piece).has_value();
    if (is_damage) throw DamageError(error.what());
    throw;
  }
}

// What could not be known when the plan was made: the text, and the default numbers of shards.
RunPlan settle(const ArrayState& state, std::uint64_t articles, const std::string& text_sha256, Progress& progress) {
  const RunPlan run = state.run.with_articles(articles);
  run.goal->refuse_others(run, text_sha256);
  if (state.knows_shards()) return run;
  refuse_foreign_texts(run);
  const std::string note = note_on_shards(state.run.options.sharding, articles);
  if (!note.empty()) progress.note(note);
  make_text_shard_folder(run);
  return run;
}

// The files of all sources lie in the pieces, in order.
void write_inputs(const ArrayState& state, std::span<const FileDigests> files) {
  std::vector<ManifestSource> sources;
  std::size_t next = 0;
  for (const CorpusPart& part : state.run.parts) {
    for (ManifestSource source : part.sources) {
      std::string digests;
      source.bytes = 0;
      for (const FileDigests& file : files.subspan(next, source.files)) {
        digests += file.sha256 + "\n";
        source.bytes += file.bytes;
      }
      next += source.files;
      source.sha256 = sha256_of(digests);
      sources.push_back(std::move(source));
    }
  }
  const std::string bytes =
      seal(Json::object().add("digest", Json::string(combine(files).digest)).add("sources", json_of(sources)));
  publish_durably(state.layout.inputs, state.layout.attempts, bytes);
}

void write_bundle_of(const ArrayState& state, const std::string& name, const AssignmentFile& assignment,
                     std::span<const AssignmentFile::Place> places, const std::filesystem::path& path,
                     std::size_t threads, Progress& progress) {
  const OutputFolder pieces = OutputFolder::shared(state.layout.format);
  const CompletionRecord record = record_of_piece(state, pieces, name);
  read_result(pieces, name, kHint, [&] {
    write_bundle({pieces.path() / (name + ".txt.zst"), intact_output(pieces, name + kIndexEnding, record), places,
                  counts_of(record).text_sha256},
                 assignment.shards(), path, threads, progress);
  });
}

std::vector<OpenPhase> open_phases(const ArrayState& state, const Vocab& vocab) {
  std::vector<OpenPhase> phases;
  for (std::size_t i = 0; i < state.run.layout.phases.size(); ++i) {
    const InstancePhase& phase = state.run.layout.phases[i];
    phases.push_back({phase.options, OutputFolder::shared(phase.folder),
                      instance_recipe(phase.options, state.run.options, vocab), state.plan.instance_keys[i]});
  }
  return phases;
}

std::size_t plan_threads(const ArrayState& state, std::span<const std::size_t> shards,
                         const AssignmentFile& assignment) {
  std::uint64_t largest = 0;
  for (const std::size_t shard : shards) {
    for (const InstancePhase& phase : state.run.layout.phases) {
      // The text is in memory, and briefly a part of it twice.
      const std::uint64_t text_bytes = assignment.shard_bytes(shard);
      largest = std::max(largest, shard_memory_bytes(text_bytes, phase.options) + text_bytes);
    }
  }
  return threads_within(memory_bytes(state.run.options.work.memory), largest,
                        resolve_threads(static_cast<std::size_t>(state.run.options.work.threads)));
}

// The text shard of this number, from the bundles.
std::string assemble_text_shard(const ArrayState& state, std::size_t shard, const AssignmentFile& assignment,
                                const Progress& progress) {
  std::string text(assignment.shard_bytes(shard), '\0');
  const OutputFolder folder = OutputFolder::shared(state.layout.shard);
  std::uint64_t copied = 0;
  for (std::size_t piece = 0; piece < state.plan.pieces.size(); ++piece) {
    stop_if_cancelled(progress);
    const std::string name = ArrayPlan::piece_name(piece);
    copied += read_result(folder, name, "run `stage` shard again, then this one", [&] {
      return copy_section(folder.path() / (name + ".bundle"), shard, assignment.shards(), text);
    });
  }
  if (copied != text.size()) {
    throw FormatError("the bundles do not form a complete text shard " + shard_name(state.run.options, shard),
                      state.layout.shard, "run `stage` fetch again, then all others");
  }
  return text;
}

// Equal attempts write equal bytes: so the last rename is right. Likewise for other jobs with the same text, which may
// finish and tidy up before this one; so the unfinished file is with this job's passing data, in a hidden folder.
void write_text_shard(const std::string& text, const ArrayState& state, const fs::path& path) {
  PendingFile pending = OutputFolder::shared(state.layout.shard).begin_for(path);
  OutputFile file(pending.path());
  file.write(text);
  file.finish();
  pending.publish();
}

}  // namespace

CompletionRecord record_of_piece(const ArrayState& state, const OutputFolder& pieces, const std::string& name) {
  auto record = pieces.finished(name, state.plan.format_key);
  if (!record) throw FormatError("has just disappeared", pieces.path() / name, kHint);
  return std::move(*record);
}

std::vector<FileDigests> inputs_in(const CompletionRecord& piece) {
  std::vector<FileDigests> files;
  for (const Json& file : piece.counts.at(kInputs).items()) {
    files.push_back({file.at("xxh3").text(), file.at("sha256").text(), file.at("bytes").as_unsigned()});
  }
  return files;
}

// Even an index that is readable to its end may be damaged.
fs::path intact_output(const OutputFolder& pieces, const std::string& file, const CompletionRecord& piece) {
  for (const OutputEntry& output : piece.outputs) {
    if (output.name == file && sha256_of_file(pieces.path() / file) == output.sha256) return pieces.path() / file;
  }
  throw FormatError("is damaged: its bytes differ from those that were written", pieces.path() / file,
                    "run `stage` format again");
}

AssignmentFile open_assignment(const ArrayState& state) {
  return read_assignment(state, [&] { return AssignmentFile(state.layout.shard / kAssignmentFile); });
}

std::vector<AssignmentFile::Place> places_of_piece(const ArrayState& state, const AssignmentFile& assignment,
                                                   std::size_t piece) {
  return read_assignment(state, [&] { return assignment.places_of_piece(piece); });
}

StageReport format_pieces(const ArrayState& state, std::span<const std::size_t> pieces, Progress& progress) {
  StageReport report{.stage = "format", .tasks_made = pieces.size()};
  const OutputFolder folder = OutputFolder::shared(state.layout.format);
  const bool keep_lines = holds_sentence_lines(state.run.options);
  const BlockSplitter blocks(*state.run.splitter, keep_lines);
  const FormatPass pass{.keep_lines = keep_lines,
                        .as_is = state.run.options.as_is,
                        .strict = is_strict(state.run.parts),
                        .count_templates = !template_report_of(state.run.parts).empty(),
                        .threads = resolve_threads(static_cast<std::size_t>(state.run.options.work.threads)),
                        .memory_bytes = memory_bytes(state.run.options.work.memory)};

  std::uint64_t bytes = 0;
  for (const std::size_t piece : pieces) bytes += state.plan.pieces[piece].input.bytes;
  progress.begin(report.stage, bytes, "bytes");
  for (const std::size_t piece : pieces) {
    stop_if_cancelled(progress);
    const FormatCounts counts = format_piece(state, piece, pass, blocks, folder, progress, report);
    const std::uint64_t piece_bytes = state.plan.pieces[piece].input.bytes;
    if (piece_bytes > counts.reported_bytes) progress.advance(piece_bytes - counts.reported_bytes);
    report.articles += counts.articles;
    report.sentences += counts.sentences;
    report.bytes_in += counts.source_bytes;
    report.bytes_out += counts.text_bytes;
  }
  progress.end();
  return report;
}

StageReport place_pieces(const ArrayState& state, Progress& progress) {
  require_stage(state, ArrayStage::kFormat);
  progress.begin("place", state.plan.pieces.size(), "pieces");
  const OutputFolder formatted = OutputFolder::shared(state.layout.format);
  PieceSums sums = sum_pieces(state, formatted, progress);
  const WholeDigests whole =
      digest_intact(sums, formatted, static_cast<std::size_t>(state.run.options.work.threads), progress);

  if (state.plan.is_listed) write_inputs(state, sums.inputs);
  const bool as_is = state.run.options.as_is;
  const std::uint64_t sentences = as_is ? 0 : sums.sizes.total_sentences;
  const RunPlan run = settle(state, sums.counts.articles, whole.text_sha256, progress);
  const ShardAssignment shards = place_articles(weights_of(sums.sizes, as_is), run.options.sharding);
  const ArticlePlaces places = places_of(shards, std::move(sums.sizes.bytes));
  const OutputFolder folder = OutputFolder::shared(state.layout.shard);
  PendingFile file = folder.begin(kAssignmentFile);
  write_assignment(file.path(), places, sums.first_articles);

  CompletionRecord record{.key = state.plan.shard_key, .outputs = {OutputFolder::describe(file)}};
  record.recipe.add("stage", Json::string(kAssignmentStage));
  sums.counts.text_sha256 = whole.text_sha256;
  sums.counts.file_sha256 = whole.file_sha256;
  record.counts = json_of(sums.counts)
                      .add("rejected", Json::number(sums.rejected.total()))
                      .add(kRejectedByReason, json_of(sums.rejected))
                      .add("file_bytes", Json::number(sums.file_bytes));
  folder.commit(kAssignmentTask, std::move(record), {&file, 1});
  progress.end();

  StageReport report{.stage = "place", .tasks_made = 1, .articles = sums.counts.articles, .sentences = sentences};
  report.rejected = sums.rejected.total();
  report.left_out = sums.counts.left_out;
  report.rejected_by_reason = sums.rejected;
  report.bytes_in = sums.counts.text_bytes;
  report.bytes_out = std::accumulate(places.shard_bytes.begin(), places.shard_bytes.end(), std::uint64_t{0});
  return report;
}

StageReport bundle_pieces(const ArrayState& state, std::span<const std::size_t> pieces, Progress& progress) {
  require_stage(state, ArrayStage::kPlace);
  StageReport report{.stage = "shard", .tasks_made = pieces.size()};
  const OutputFolder folder = OutputFolder::shared(state.layout.shard);
  const AssignmentFile assignment = open_assignment(state);
  for (const std::size_t piece : pieces) {
    stop_if_cancelled(progress);
    const std::string name = ArrayPlan::piece_name(piece);
    const auto places = places_of_piece(state, assignment, piece);
    PendingFile file = folder.begin(name + ".bundle");
    write_bundle_of(state, name, assignment, places, file.path(),
                    static_cast<std::size_t>(state.run.options.work.threads), progress);
    CompletionRecord record{.key = state.plan.shard_key, .outputs = {OutputFolder::describe(file)}};
    record.counts.add("articles", Json::number(places.size()));
    report.articles += places.size();
    report.bytes_out += record.outputs.front().size_bytes;
    folder.commit(name, std::move(record), {&file, 1});
  }
  return report;
}

StageReport make_array_shards(const ArrayState& state, std::span<const std::size_t> shards, Progress& observer) {
  require_stage(state, ArrayStage::kShard);
  SerialProgress progress(observer);
  const PipelineOptions& options = state.run.options;
  const Vocab& vocab = *state.run.goal->rows();
  const std::vector<OpenPhase> phases = open_phases(state, vocab);
  const AssignmentFile assignment = open_assignment(state);
  const bool keeps_text = options.work.keep.sharded;

  // Before any shard, so that their records are newer.
  for (const OpenPhase& phase : phases) put_vocab(phase.folder, vocab, progress);
  progress.begin("instances", shards.size(), "text shards");
  const auto text_shard = [&](std::size_t i) -> TextShard {
    const std::string name = shard_name(state.run.options, shards[i]);
    std::string text = assemble_text_shard(state, shards[i], assignment, progress);
    if (keeps_text) write_text_shard(text, state, state.run.layout.text_shards / (name + ".txt"));
    return {.path = name + ".txt", .text = std::move(text)};
  };
  const StageReport report = make_shards({shards.size(), text_shard, phases}, options, vocab,
                                         plan_threads(state, shards, assignment), progress);
  progress.end();
  return report;
}

// The text shards are written first, as the parts are made from files; those that are not kept only for this call.
StageReport make_array_sequences(const ArrayState& state, std::span<const std::size_t> shards, Progress& progress) {
  require_stage(state, ArrayStage::kShard);
  const bool keeps_text = state.run.options.work.keep.sharded;
  const AssignmentFile assignment = open_assignment(state);
  SequenceTask task = begun_sequences(state.run.options);
  task.folder = state.run.layout.sequences;
  task.inputs = text_shard_paths(keeps_text ? state.run.layout.text_shards : state.layout.shard, state.run.options);
  SequenceShare share{.text_shards = {}, .known = {}, .plan_key = state.plan.key()};
  for (const std::size_t shard : shards) {
    stop_if_cancelled(progress);
    const std::string text = assemble_text_shard(state, shard, assignment, progress);
    write_text_shard(text, state, task.inputs[shard]);
    share.text_shards.push_back(shard);
    share.known.push_back({text.size(), sha256_of(text, progress), xxh3_of(text)});
  }
  StageReport report = make_sequences(task, *state.run.goal->sequences(), state.run.options, progress, &share).stage;
  report.stage = name_of(ArrayStage::kInstances);
  for (const std::size_t shard : shards) {
    std::error_code ignored;
    if (!keeps_text) fs::remove(task.inputs[shard], ignored);
  }
  return report;
}

}  // namespace bertprep
