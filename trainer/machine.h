// The machine's resources, processors and memory, and a run's need for them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/library_version.h"
#include "bertprep/trainer/train.h"

namespace bertprep {

// How many processors it may use, at least 1; and how many it has, in use by anybody.
int available_processors();
int machine_processors();

// Whether they multiply bfloat16 faster than f32. Having the instructions is not enough: Intel's processors with
// AVX512_BF16 since Sapphire Rapids run them at half the rate of f32 if AMX is missing or hidden.
bool has_fast_bf16();

// Bytes that each process holds throughout: weights, gradients and the optimizer's values. Activations and libraries
// need more.
std::uint64_t state_bytes(const ModelConfig& config, const TrainOptions& options, std::uint64_t processes);

// Memory and swap of this machine, or the limit of its container.
std::uint64_t machine_memory_bytes();

// Throws ConfigError if `processes_here` times `bytes` are more than `machine_bytes`.
void require_memory(std::uint64_t bytes, std::uint64_t processes_here, std::uint64_t machine_bytes);

// The file of the BLAS library with which libtorch multiplies matrices in this process, as known to the loader; empty
// if there is none.
std::filesystem::path blas_library();
// Whether that is the reference implementation, which is more than ten times slower than an optimised one.
bool is_reference_blas(const std::filesystem::path& library);

// The versions of the libraries used by bertprep::trainer: libtorch, and MPI and NCCL if built with them.
std::vector<LibraryVersion> trainer_library_versions();

}  // namespace bertprep
