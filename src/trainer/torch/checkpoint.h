// Checkpoints of a run, and models of other programs: tensors <-> files (docs/formats/checkpoint.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bertprep/shard/manifest.h"
#include "bertprep/trainer/train.h"
#include "trainer/torch/model.h"
#include "trainer/torch/optimizer.h"
#include "trainer/weights/safetensors.h"

namespace bertprep {

// Where a run is. Dropout has no state of its own: it is a function of seed and step.
struct RunState {
  std::int64_t step = 0;       // of this phase
  std::uint64_t position = 0;  // rows that were taken from the endless sequence
};

// What must be the same for a run to resume.
struct RunIdentity {
  std::string data;                           // fingerprint of the shards
  std::string order;                          // seed and shuffling
  std::string optimizer;                      // its name
  std::optional<ManifestVocab> vocabulary{};  // of the shards, where that is known
};

// RunIdentity::order. Those of kV1 and kNone are as version 0.2 wrote them.
std::string order_note(const DataOptions& options);

// Returns the path of the new checkpoint. `moments` lie at the model's places. Throws IoError.
std::filesystem::path save_run(const RunOptions& options, const Model& model, const Moments& moments,
                               const RunState& state, const RunIdentity& identity);

// Sets model and moments to what the checkpoint holds. Throws ConfigError when it is of another run, FormatError.
RunState load_run(const std::filesystem::path& path, Model& model, Moments& moments, const RunIdentity& identity,
                  std::int64_t phase1_end_step);

struct RestoredRun {
  std::filesystem::path path;  // empty: there is no checkpoint
  RunState state;
  Moments moments;
  std::vector<std::string> passed_over;  // what is wrong with newer ones, newest first
};

// Goes back to the newest checkpoint in the output folder that is sound. Throws as load_run() does for one of another
// run; FormatError when all are damaged: starting anew is for the user to ask for.
RestoredRun restore_newest(const RunOptions& options, Model& model, const RunIdentity& identity);

// Zeros, at the model's places.
Moments no_moments(const Model& model);

// Takes the weights of a file or folder that find_weights() takes: a checkpoint, or a model.safetensors. Throws
// ConfigError when there is none or they are of another shape, FormatError when one is missing.
// Likewise where they are of another vocabulary than the shards in `data_folder`, which is `vocabulary`.
void load_weights(const std::filesystem::path& path, Model& model, const std::optional<ManifestVocab>& vocabulary = {},
                  const std::filesystem::path& data_folder = {});

// Writes config.json and model.safetensors as HuggingFace's transformers read them. Throws IoError.
void export_model(const std::filesystem::path& folder, const Model& model);

}  // namespace bertprep
