// The checkpoints of a run: checkpoint_STEP.safetensors in its output folder (docs/formats/checkpoint.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "trainer/weights/safetensors.h"

namespace bertprep {

struct CheckpointFile {
  std::int64_t step = 0;
  std::filesystem::path path;
};

// Sorted by step; empty when there is no such folder.
std::vector<CheckpointFile> list_checkpoints(const std::filesystem::path& folder);
std::optional<CheckpointFile> newest_checkpoint(const std::filesystem::path& folder);

// Writes beside, forces it to the disk, renames; then removes all but the `keep` newest, those of later steps (of a run
// that this one was begun anew of), and what was left unfinished. Throws IoError.
std::filesystem::path write_checkpoint(const std::filesystem::path& folder, std::int64_t step, std::size_t keep,
                                       const std::vector<TensorView>& tensors, const TensorNotes& notes);

}  // namespace bertprep
