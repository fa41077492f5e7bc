#include "bertprep/base/error.h"
#include "pipeline/array/array_work.h"
#include "pipeline/array/bundle.h"
#include "pipeline/records/damage.h"
#include "pipeline/records/stage_counts.h"
#include "pipeline/text_shards/assignment_file.h"
#include "pipeline/work/workers.h"

namespace bertprep {
namespace {

constexpr const char* kHint = "run `stage` format again, then this one; 'bertprep retry-list' names the tasks";

void write_bundle_of(const ArrayState& state, const std::string& name, const AssignmentFile& assignment,
                     std::span<const AssignmentFile::Place> places, const std::filesystem::path& path,
                     std::size_t threads, Progress& progress) {
  const OutputFolder pieces = OutputFolder::shared(state.layout.format);
  const auto record = pieces.finished(name, state.plan.format_key);
  if (!record) throw FormatError("has just disappeared", pieces.path() / name, kHint);
  read_result(pieces, name, kHint, [&] {
    write_bundle({pieces.path() / (name + ".txt.zst"), intact_index(pieces, name, *record), places,
                  counts_of(*record).text_sha256},
                 assignment.shards(), path, threads, progress);
  });
}

}  // namespace

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
    write_bundle_of(state, name, assignment, places, file.path(), static_cast<std::size_t>(state.options.work.threads),
                    progress);
    CompletionRecord record{.key = state.plan.shard_key, .outputs = {OutputFolder::describe(file)}};
    record.counts.add("articles", Json::number(places.size()));
    report.articles += places.size();
    report.bytes_out += record.outputs.front().size_bytes;
    folder.commit(name, std::move(record), {&file, 1});
  }
  return report;
}

}  // namespace bertprep
