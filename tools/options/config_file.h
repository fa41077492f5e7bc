// Configuration files: one JSON object, option names as keys (docs/formats/config.md).
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/fields.h"

namespace bertprep {

// The options that a file sets, in its order. Throws IoError, FormatError (not a JSON object, a value that is a list).
std::vector<FieldValue> read_config_file(const std::filesystem::path& path);

// The text of a file that sets `values`.
std::string config_file_text(std::span<const FieldValue> values);

}  // namespace bertprep
