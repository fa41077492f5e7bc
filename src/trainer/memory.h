// What a run needs of the machine's memory before its first step.
#pragma once

#include <cstdint>

#include "bertprep/trainer/model_config.h"
#include "bertprep/trainer/train_options.h"

namespace bertprep {

// Bytes that each of so many processes holds from start to end: weights, gradients and the optimizer's values.
// Activations and libraries come on top.
std::uint64_t state_bytes(const ModelConfig& config, const TrainOptions& options, std::uint64_t processes);

// Memory and swap of this machine, or what its container may take.
std::uint64_t machine_memory_bytes();

// Throws ConfigError when `processes_here` times `bytes` are more than `machine_bytes`.
void require_memory(std::uint64_t bytes, std::uint64_t processes_here, std::uint64_t machine_bytes);

}  // namespace bertprep
