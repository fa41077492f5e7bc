// Where the weights of a model come from: a safetensors file, this program's or another's.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "trainer/weights/safetensors.h"

namespace bertprep {

// `path` itself, or of a folder the file of weights in it: model.safetensors, else its index
// (kWeightsIndexName), else the newest checkpoint. Throws ConfigError when it has neither, FormatError when it has
// files of torch.save alone: it names the command that converts them.
std::filesystem::path find_weights(const std::filesystem::path& path);

// Throws IoError, FormatError; for a file of torch.save it names the command that converts it.
SafetensorsFile open_weights(const std::filesystem::path& path);

// Of a model in several files: HuggingFace's index, which names the file of each tensor.
inline constexpr const char* kWeightsIndexName = "model.safetensors.index.json";

// The files that the index names, each once; they lie beside it. Throws IoError; FormatError where the index is not
// one, names a file elsewhere, or a tensor that its file lacks.
std::vector<SafetensorsFile> open_indexed_weights(const std::filesystem::path& index);

// The file or files of a model: those of an index, else `path` alone, as open_weights() takes it.
std::vector<SafetensorsFile> open_all_weights(const std::filesystem::path& path);

}  // namespace bertprep
