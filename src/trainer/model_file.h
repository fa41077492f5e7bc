// The config.json of a BERT model, as HuggingFace's transformers or Google's scripts write it.
#pragma once

#include <filesystem>

#include "bertprep/trainer/train.h"

namespace bertprep {

// Keys that are missing or null have BERT's values, unknown ones are passed over. Throws IoError, FormatError for a key
// of the wrong type, ConfigError for values that don't fit together and for models that are no BERT.
ModelConfig read_model_file(const std::filesystem::path& path);

}  // namespace bertprep
