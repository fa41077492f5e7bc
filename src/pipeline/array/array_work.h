// The work of the stages of an array job, unit by unit. Each function skips nothing: whether a unit is done is the
// caller's to ask. All throw as run_array_task() does.
#pragma once

#include <cstddef>
#include <span>

#include "bertprep/base/progress.h"
#include "bertprep/pipeline/stages.h"
#include "pipeline/array/array_state.h"
#include "pipeline/text_shards/assignment_file.h"

namespace bertprep {

// Pieces of the input -> formatted text, sentence index, origins and rejects of each.
StageReport format_pieces(const ArrayState& state, std::span<const std::size_t> pieces, const WorkOptions& work,
                          Progress& progress);

// The sizes of all articles -> where each goes.
StageReport place_pieces(const ArrayState& state, const WorkOptions& work, Progress& progress);

// Formatted pieces -> bundles.
StageReport bundle_pieces(const ArrayState& state, std::span<const std::size_t> pieces, const WorkOptions& work,
                          Progress& progress);

// Bundles -> the shards of every phase.
StageReport make_array_shards(const ArrayState& state, std::span<const std::size_t> shards, const WorkOptions& work,
                              Progress& progress);

// Records -> manifests, and what a run in one process leaves behind; then clean_up().
StageReport finish_array(const ArrayState& state, Progress& progress);

// The shards of another run in a folder of this one's, which `finish` would refuse after hours of work. Throws
// FormatError, or removes them with `force`. The numbers of shards are known, or all are another run's.
void refuse_other_runs(const PipelineOptions& options, const RunLayout& run, bool force);

// Where the text shards are kept, once their numbers are known.
void make_text_shard_folder(const ArrayState& state);

// What earlier stages left, compared with what they wrote. Throws DamageError and withdraws the record of what can't
// serve, so that its stage makes it again.
AssignmentFile open_assignment(const ArrayState& state);
std::vector<AssignmentFile::Place> places_of_piece(const ArrayState& state, const AssignmentFile& assignment,
                                                   std::size_t piece);
// The sentence index of a formatted piece, whose record is `record`.
std::filesystem::path sound_index(const OutputFolder& pieces, const std::string& piece, const CompletionRecord& record);

// Removes what a finished job needs no more.
void clean_up(const ArrayState& state);
// Of that, what lies in the job's own folder.
void remove_passing_data(const ArrayLayout& layout);

}  // namespace bertprep
