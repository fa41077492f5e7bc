#include <numeric>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/input_file.h"
#include "pipeline/array/array_work.h"
#include "pipeline/records/damage.h"
#include "pipeline/records/input_digest.h"
#include "pipeline/records/input_guard.h"
#include "pipeline/records/run_journal.h"
#include "pipeline/records/stage_counts.h"
#include "pipeline/stages/automatic_shards.h"
#include "pipeline/stages/format_counts.h"
#include "pipeline/text_shards/assignment_file.h"
#include "pipeline/text_shards/shard_assignment.h"
#include "pipeline/text_shards/split_pass.h"
#include "pipeline/work/workers.h"
#include "shard/manifest_sources.h"
#include "stream/open_stream.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHint = "run `stage` format again, then this one; 'bertprep retry-list' names the tasks";

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
    const auto record = folder.finished(name, state.plan.format_key);
    if (!record) throw FormatError("has just disappeared", folder.path() / name, kHint);
    FormatCounts counts = format_counts_in(record->counts);
    const bool has_text = counts.text_bytes != 0;
    documents.push_back(counts.documents);
    sums.counts.add(std::move(counts));
    sums.rejected.add(reasons_in(record->counts, kRejectedByReason));
    sums.file_bytes += record->outputs.front().size_bytes;
    sums.first_articles.push_back(sums.counts.articles);
    if (state.plan.is_listed) {
      for (const Json& file : record->counts.at(kInputs).items()) {
        sums.inputs.push_back({file.at("xxh3").text(), file.at("sha256").text(), file.at("bytes").as_unsigned()});
      }
    }
    if (!has_text) continue;
    sums.pieces.push_back(name);
    sums.texts.push_back(record->outputs.front());
    const ArticleSizes sizes =
        read_result(folder, name, kHint, [&] { return sizes_of_index(intact_index(folder, name, *record)); });
    sums.sizes.sentences.insert(sums.sizes.sentences.end(), sizes.sentences.begin(), sizes.sentences.end());
    sums.sizes.bytes.insert(sums.sizes.bytes.end(), sizes.bytes.begin(), sizes.bytes.end());
    sums.sizes.total_sentences += sizes.total_sentences;
  }
  require_articles(state.plan.parts, state.plan.pieces, documents);
  if (sums.counts.articles == 0) {
    throw FormatError("no article was found", state.plan.options.corpus.name, "check the input and its `format`");
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
void refuse_others(const ArrayState& state, std::uint64_t articles, const std::string& text_sha256,
                   Progress& progress) {
  const BuildFolders folders{state.plan.output, state.layout.folder.parent_path().parent_path()};
  const PipelineOptions options = with_shards(state.plan.options, articles);
  const RunShape shape{folders, options, layout_of(folders, options), make_run_splitter(options)};
  const auto goal = make_run_goal(options);
  goal->refuse_others(shape, text_sha256);
  if (state.plan.options.sharding.is_resolved()) return;
  refuse_run_over_input(state.plan.parts, folders, shape.layout, options);
  refuse_foreign_texts(options, shape.layout);
  if (const std::string note = note_on_shards(state.plan.options.sharding, articles); !note.empty()) {
    progress.note(note);
  }
  ArrayState resolved = state;
  resolved.options = options;
  resolved.run = shape.layout;
  make_text_shard_folder(resolved);
  write_run_description(folders, goal->description(shape));
}

// The files of all sources lie in the pieces, in order.
void write_inputs(const ArrayState& state, std::span<const FileDigests> files) {
  std::vector<ManifestSource> sources;
  std::size_t next = 0;
  for (const CorpusPart& part : state.plan.parts) {
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

}  // namespace

StageReport place_pieces(const ArrayState& state, Progress& progress) {
  require_stage(state, ArrayStage::kFormat);
  progress.begin("place", state.plan.pieces.size(), "pieces");
  const OutputFolder formatted = OutputFolder::shared(state.layout.format);
  PieceSums sums = sum_pieces(state, formatted, progress);
  const WholeDigests whole =
      digest_intact(sums, formatted, static_cast<std::size_t>(state.options.work.threads), progress);

  if (state.plan.is_listed) write_inputs(state, sums.inputs);
  const bool as_is = state.plan.options.as_is;
  const std::uint64_t sentences = as_is ? 0 : sums.sizes.total_sentences;
  const ShardingOptions sharding = resolve_sharding(state.plan.options.sharding, sums.counts.articles);
  refuse_others(state, sums.counts.articles, whole.text_sha256, progress);
  const ShardAssignment shards = place_articles(weights_of(sums.sizes, as_is), sharding);
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

}  // namespace bertprep
