#include "bertprep/base/error.h"
#include "pipeline/array/array_work.h"
#include "pipeline/array/bundle.h"
#include "pipeline/array/placement_file.h"
#include "pipeline/workers.h"

namespace bertprep {

StageReport bundle_pieces(const ArrayState& state, std::span<const std::size_t> pieces, const WorkOptions& work,
                          Progress& progress) {
  require_stage(state, ArrayStage::kPlace);
  StageReport report{.stage = "shard", .tasks_made = pieces.size()};
  const OutputFolder folder = OutputFolder::shared(state.layout.shard);
  const PlacementFile placement(state.layout.shard / kPlacementFile);
  for (const std::size_t piece : pieces) {
    stop_if_cancelled(progress);
    const std::string name = ArrayPlan::piece_name(piece);
    const auto places = placement.places_of_piece(piece);
    PendingFile file = folder.begin(name + ".bundle");
    const std::filesystem::path text = state.layout.format / (name + ".txt.zst");
    write_bundle({text, state.layout.format / (name + ".sentences"), places}, placement.shards(), file.path(),
                 static_cast<std::size_t>(work.threads), progress);
    CompletionRecord record{.key = state.plan.shard_key, .outputs = {OutputFolder::describe(file)}};
    record.counts.add("articles", Json::number(places.size()));
    report.articles += places.size();
    report.bytes_out += record.outputs.front().size_bytes;
    folder.commit(name, std::move(record), {&file, 1});
  }
  return report;
}

}  // namespace bertprep
