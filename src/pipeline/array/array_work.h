// The work of the stages of an array job, unit by unit. The functions skip nothing: the caller checks whether a unit is
// done. All but bundle_pieces() need the models of `state`. All throw as run_array_task().
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/pipeline/stages.h"
#include "pipeline/array/array_state.h"
#include "pipeline/records/input_digest.h"
#include "pipeline/text_shards/shard_assignment.h"

namespace bertprep {

// Pieces of the input -> formatted text, sentence index, origins and rejects for each.
StageReport format_pieces(const ArrayState& state, std::span<const std::size_t> pieces, Progress& progress);

// The sizes of all articles -> the place of each.
StageReport place_pieces(const ArrayState& state, Progress& progress);

// Formatted pieces -> bundles.
StageReport bundle_pieces(const ArrayState& state, std::span<const std::size_t> pieces, Progress& progress);

// Bundles -> the shards of every phase.
StageReport make_array_shards(const ArrayState& state, std::span<const std::size_t> shards, Progress& progress);

// Bundles -> the parts of a set of token sequences.
StageReport make_array_sequences(const ArrayState& state, std::span<const std::size_t> shards, Progress& progress);

// Records -> manifests and the other results of a run in one process; then clean_up().
StageReport finish_array(const ArrayState& state, Progress& progress);

// Throws FormatError for files at the paths of text shards to be kept that no call made, if those are known.
void refuse_foreign_texts(const RunPlan& run);

// Makes the folder for kept text shards, once their numbers are known.
void make_text_shard_folder(const RunPlan& run);

// Opens results of earlier stages and checks them against their records. If they are damaged, throws DamageError and
// withdraws their record, so that their stage makes them again.
AssignmentFile open_assignment(const ArrayState& state);
std::vector<AssignmentFile::Place> places_of_piece(const ArrayState& state, const AssignmentFile& assignment,
                                                   std::size_t piece);

// Of a formatted piece. Throws FormatError if it has just disappeared.
CompletionRecord record_of_piece(const ArrayState& state, const OutputFolder& pieces, const std::string& name);
// Of a piece whose files its task has fetched.
std::vector<FileDigests> inputs_in(const CompletionRecord& piece);
// A file of a piece that is as recorded. Throws FormatError for a damaged one.
std::filesystem::path intact_output(const OutputFolder& pieces, const std::string& file, const CompletionRecord& piece);

// Removes what a finished job no longer needs.
void clean_up(const ArrayState& state);
// Of that, only the files in the job's own folder.
void remove_intermediate_data(const ArrayLayout& layout);

}  // namespace bertprep
