// Checkpoints of a run, and models of other programs: tensors <-> files (trainer/docs/checkpoint.md).
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

// The progress of a run. Dropout has no state: it is a function of seed and step.
struct RunState {
  std::int64_t step = 0;       // of this phase
  std::uint64_t position = 0;  // rows read from the endless sequence
};

// What must be the same for a run to resume.
struct RunIdentity {
  std::string data;                           // fingerprint of the shards
  std::string order;                          // seed and shuffling
  std::string optimizer;                      // its name
  std::optional<ManifestVocab> vocabulary{};  // of the shards, if known
};

// RunIdentity::order. For kV1 and kNone, as written by version 0.2.
std::string order_note(const DataOptions& options);

// Returns the path of the new checkpoint. `moments` use the model's places. Throws IoError.
std::filesystem::path save_run(const RunOptions& options, const Model& model, const Moments& moments,
                               const RunState& state, const RunIdentity& identity);

// Loads model and moments from the checkpoint. Throws ConfigError if it belongs to another run, FormatError.
RunState load_run(const std::filesystem::path& path, Model& model, Moments& moments, const RunIdentity& identity,
                  std::int64_t phase1_end_step);

struct RestoredRun {
  std::filesystem::path path;  // empty: no checkpoint
  RunState state;
  Moments moments;
  std::vector<std::string> damaged_checkpoints;  // what is wrong with newer ones, newest first
};

// Restores the newest undamaged checkpoint in the output folder. Throws as load_run() for one of another run;
// FormatError if all are damaged: only the user may decide to start again.
RestoredRun restore_newest(const RunOptions& options, Model& model, const RunIdentity& identity);

// Zeros, at the model's places.
Moments no_moments(const Model& model);

// Loads the weights of a file or folder as found by find_weights(): a checkpoint, or a model.safetensors. Throws
// ConfigError if there is none, the shapes differ, or the vocabulary is not `vocabulary`, that of the shards in
// `data_folder`; FormatError if a tensor is missing.
void load_weights(const std::filesystem::path& path, Model& model, const std::optional<ManifestVocab>& vocabulary = {},
                  const std::filesystem::path& data_folder = {});

// Throws FormatError if `folder` has a model or a tokenizer, but not the config.json of an export of this one.
void refuse_foreign_model(const std::filesystem::path& folder, const ModelConfig& config);

// Writes config.json and model.safetensors as HuggingFace's transformers read them. Throws IoError.
void export_model(const std::filesystem::path& folder, const Model& model);

}  // namespace bertprep
