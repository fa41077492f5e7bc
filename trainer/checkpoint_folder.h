// The checkpoints of a run: checkpoint_STEP.safetensors in its output folder (trainer/docs/checkpoint.md).
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

// Sorted by step; empty if there is no such folder.
std::vector<CheckpointFile> list_checkpoints(const std::filesystem::path& folder);
std::optional<CheckpointFile> newest_checkpoint(const std::filesystem::path& folder);

// The hidden folder in `folder` in which files are written before they get their names. Makes it and `folder` if
// needed. Throws IoError.
std::filesystem::path unfinished_folder(const std::filesystem::path& folder);
// Removes files of killed processes in it, and the folder itself unless another process writes there.
void tidy_unfinished(const std::filesystem::path& folder);

// Makes the folder, and a file in it for a moment: what can't be written is an error before the work. Throws IoError.
void require_writable(const std::filesystem::path& folder);

// Removes all checkpoints but the `keep` newest up to `step`, those of later steps (damaged ones, or of an earlier run
// that this one restarted), and unfinished files. Throws IoError.
void tidy_checkpoints(const std::filesystem::path& folder, std::int64_t step, std::size_t keep);

// Writes atomically and flushes to disk; then tidies. Throws IoError.
std::filesystem::path write_checkpoint(const std::filesystem::path& folder, std::int64_t step, std::size_t keep,
                                       const std::vector<TensorView>& tensors, const TensorNotes& notes);

}  // namespace bertprep
