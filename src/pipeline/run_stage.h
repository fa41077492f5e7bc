// One stage of a run, as a task of an array job (docs/how-to/slurm.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "batch/array_position.h"
#include "pipeline/run_request.h"

namespace bertprep {

inline constexpr const char* kUsualPieceSize = "64M";

// Throws ConfigError if it is not a size. Empty: the usual one.
std::uint64_t piece_bytes(const std::string& piece_size);

struct StageRequest {
  std::string stage{};       // as array_stage() reads it
  std::string piece_size{};  // for the stage `fetch`
  ArrayOptions array{};
};

// Does this process's share, given by the options or the engine's variables, of a request that was checked; `given` are
// its options. Throws as run_array_task() and RunRequest::resolve_plan().
StageReport run_stage(RunRequest& request, const StageRequest& stage, std::span<const GivenOption> given,
                      Progress& progress);

}  // namespace bertprep
