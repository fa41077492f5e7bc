// Where the weights of a model come from: a safetensors file, this program's or another's.
#pragma once

#include <filesystem>

#include "trainer/weights/safetensors.h"

namespace bertprep {

// `path` itself, or of a folder the file of weights in it: model.safetensors, else its index
// (weights_index.h), else the newest checkpoint. Throws
// ConfigError when it has neither, FormatError when it has files of torch.save alone: it names the command that
// converts them.
std::filesystem::path find_weights(const std::filesystem::path& path);

// Throws IoError, FormatError; for a file of torch.save it names the command that converts it.
SafetensorsFile open_weights(const std::filesystem::path& path);

}  // namespace bertprep
