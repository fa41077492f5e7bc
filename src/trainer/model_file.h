// The config.json of a BERT or GPT-2 model, as HuggingFace's transformers or Google's scripts write it.
#pragma once

#include <filesystem>

#include "bertprep/trainer/train.h"

namespace bertprep {

// Keys that are missing or null have the values of BERT or GPT-2, unknown ones are passed over. Throws IoError,
// FormatError for a key of the wrong type, ConfigError for values that don't fit together and for models of other
// kinds.
ModelConfig read_model_file(const std::filesystem::path& path);

}  // namespace bertprep
