// What the machine gives a run: processors, memory, and what the run needs of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/library_version.h"
#include "bertprep/trainer/train.h"

namespace bertprep {

// How many processors it may use, at least 1.
int available_processors();

// Whether they multiply bfloat16 faster than f32. To have instructions for it is not enough: Intel's with AVX512_BF16
// since Sapphire Rapids do it at half the rate of f32 where AMX is missing or hidden.
bool has_fast_bf16();

// Bytes that each of so many processes holds from start to end: weights, gradients and the optimizer's values.
// Activations and libraries come on top.
std::uint64_t state_bytes(const ModelConfig& config, const TrainOptions& options, std::uint64_t processes);

// Memory and swap of this machine, or what its container may take.
std::uint64_t machine_memory_bytes();

// Throws ConfigError when `processes_here` times `bytes` are more than `machine_bytes`.
void require_memory(std::uint64_t bytes, std::uint64_t processes_here, std::uint64_t machine_bytes);

// The file of the BLAS library in this process that libtorch multiplies matrices with, as the system's loader knows it;
// empty when there is none.
std::filesystem::path blas_library();
// Whether that is the reference implementation, which is more than ten times slower than an optimised one.
bool is_reference_blas(const std::filesystem::path& library);

// The versions of the libraries behind bertprep::trainer: libtorch, and MPI and NCCL where they were there.
std::vector<LibraryVersion> trainer_library_versions();

}  // namespace bertprep
