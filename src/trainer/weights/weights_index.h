// A model in several files: model.safetensors.index.json of HuggingFace, which names the file of each tensor.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "trainer/weights/safetensors.h"

namespace bertprep {

inline constexpr const char* kWeightsIndexName = "model.safetensors.index.json";

// The files that the index names, each once; they lie beside it. Throws IoError; FormatError where the index is not
// one, names a file elsewhere, or a tensor that its file lacks.
std::vector<SafetensorsFile> open_indexed_weights(const std::filesystem::path& index);

// The file or files of a model: those of an index, else `path` alone, as open_weights() takes it.
std::vector<SafetensorsFile> open_all_weights(const std::filesystem::path& path);

}  // namespace bertprep
