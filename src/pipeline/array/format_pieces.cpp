
#include "io/output_file.h"
#include "pipeline/array/array_work.h"
#include "pipeline/records/input_digest.h"
#include "pipeline/records/reject_file.h"
#include "pipeline/records/stage_counts.h"
#include "pipeline/stages/format_pass.h"
#include "pipeline/stages/origins_file.h"
#include "pipeline/stages/template_report.h"
#include "pipeline/work/workers.h"
#include "source/input/deferred_work.h"

namespace bertprep {
namespace {

// The unfinished files of one piece.
class PieceFiles {
 public:
  PieceFiles(const OutputFolder& folder, const std::string& name, const BlockSplitter& splitter, Progress& progress)
      : files_{folder.begin(name + ".txt.zst"), folder.begin(name + ".sentences"),
               folder.begin(origins_name(name + ".txt.zst"))},
        text_(files_[0].path()),
        index_(files_[1].path()),
        origins_(files_[2].path()),
        splitter_(splitter),
        rejects_(folder, name + ".rejects.jsonl", progress) {}

  FormatOutputs outputs() {
    return {.text = &text_, .compress = true, .origins = &origins_, .index = &index_, .splitter = &splitter_};
  }
  RejectFile& rejects() { return rejects_; }

  void commit(const OutputFolder& folder, const std::string& name, CompletionRecord record) {
    text_.finish();
    index_.finish();
    origins_.finish();
    rejects_.finish();
    for (const PendingFile& file : files_) record.outputs.push_back(OutputFolder::describe(file));
    folder.commit(name, std::move(record), files_);
  }

 private:
  std::array<PendingFile, 3> files_;
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
  std::vector<Rejection> rejections;
  const auto source = open_corpus_piece(
      state.plan.parts, state.plan.pieces[number],
      [&](const std::string& where, const std::string& reason, std::string_view bytes) {
        rejections.push_back({where, reason, std::string(bytes)});
      },
      task_runner(pass.threads, pass.memory_bytes));
  PieceFiles files(folder, name, splitter, progress);
  const FormatCounts counts = pass.run(*source, rejections, files.outputs(), &files.rejects(), progress);

  CompletionRecord record{.key = state.plan.format_key, .outputs = {}};
  record.recipe.add("stage", Json::string(kPieceStage));
  record.counts = json_of(counts)
                      .add("rejected", Json::number(files.rejects().count()))
                      .add(kRejectedByReason, json_of(files.rejects().reasons()));
  if (state.plan.is_listed) record.counts.add(kInputs, inputs_of(state.plan.pieces[number].input.files, progress));
  report.rejected += files.rejects().count();
  report.rejected_by_reason.add(files.rejects().reasons());
  report.left_out.add(counts.left_out);
  files.commit(folder, name, std::move(record));
  return counts;
}

}  // namespace

StageReport format_pieces(const ArrayState& state, std::span<const std::size_t> pieces, Progress& progress) {
  StageReport report{.stage = "format", .tasks_made = pieces.size()};
  const OutputFolder folder = OutputFolder::shared(state.layout.format);
  const bool keep_lines = holds_sentence_lines(state.plan.options);
  const BlockSplitter blocks(*state.plan.splitter, keep_lines);
  const FormatPass pass{.keep_lines = keep_lines,
                        .as_is = state.plan.options.as_is,
                        .strict = is_strict(state.plan.parts),
                        .count_templates = !template_report_of(state.plan.parts).empty(),
                        .threads = resolve_threads(static_cast<std::size_t>(state.options.work.threads)),
                        .memory_bytes = memory_bytes(state.options.work.memory)};

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

}  // namespace bertprep
