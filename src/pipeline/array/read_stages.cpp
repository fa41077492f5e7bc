// Reads results of earlier stages of an array job.
#include "io/digest.h"
#include "pipeline/array/array_work.h"
#include "pipeline/array/bundle.h"
#include "pipeline/records/damage.h"
#include "pipeline/work/workers.h"

namespace bertprep {
namespace {

constexpr const char* kPlaceAgain = "run `stage` place again, then this one";

template <class Read>
auto read_assignment(const ArrayState& state, const Read& read) {
  return read_result(OutputFolder::shared(state.layout.shard), kAssignmentTask, kPlaceAgain, read);
}

}  // namespace

AssignmentFile open_assignment(const ArrayState& state) {
  return read_assignment(state, [&] { return AssignmentFile(state.layout.shard / kAssignmentFile); });
}

std::vector<AssignmentFile::Place> places_of_piece(const ArrayState& state, const AssignmentFile& assignment,
                                                   std::size_t piece) {
  return read_assignment(state, [&] { return assignment.places_of_piece(piece); });
}

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
    throw FormatError("the bundles do not form a complete text shard " + shard_name(state.options, shard),
                      state.layout.shard, "run `stage` fetch again, then all others");
  }
  return text;
}

// Even an index that is readable to its end may be damaged.
std::filesystem::path intact_index(const OutputFolder& pieces, const std::string& piece,
                                   const CompletionRecord& record) {
  const std::filesystem::path index = pieces.path() / (piece + ".sentences");
  for (const OutputEntry& output : record.outputs) {
    if (output.name == index.filename().string() && sha256_of_file(index) == output.sha256) return index;
  }
  throw FormatError("is damaged: its bytes differ from those that were written", index, "run `stage` format again");
}

}  // namespace bertprep
