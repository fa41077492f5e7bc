// Finds and opens the weights of a model: a safetensors file of this or another program.
#pragma once

#include <filesystem>
#include <vector>

#include "trainer/weights/safetensors.h"

namespace bertprep {

// `path` itself or, for a folder, the file of weights in it: model.safetensors, else its index (kWeightsIndexName),
// else the newest checkpoint. Throws ConfigError if it has none of these, FormatError, naming the command that converts
// them, if it has only files of torch.save.
std::filesystem::path find_weights(const std::filesystem::path& path);

// Throws IoError, FormatError; for a file of torch.save, it names the command that converts it.
SafetensorsFile open_weights(const std::filesystem::path& path);

// HuggingFace's index of a model in several files, which names the file of each tensor.
inline constexpr const char* kWeightsIndexName = "model.safetensors.index.json";

// The distinct files in the index, which are in its folder. Throws IoError; FormatError if the index is invalid, names
// a file elsewhere, or a tensor that its file lacks.
std::vector<SafetensorsFile> open_indexed_weights(const std::filesystem::path& index);

// The file or files of a model: those of an index, else only `path`, as in open_weights().
std::vector<SafetensorsFile> open_all_weights(const std::filesystem::path& path);

}  // namespace bertprep
