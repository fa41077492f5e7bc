// The tokenizer in a set of token sequences (docs/formats/sequences.md), for models that are trained on it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "bertprep/base/progress.h"
#include "shard/token_set.h"

namespace bertprep {

// The id of its end of a text; nothing where `data_folder` has no tokenizer, or one without. Throws IoError,
// FormatError.
std::optional<std::int64_t> end_token_of(const std::filesystem::path& data_folder);

// Throws ConfigError, which ends in `cure`, where `folder` has a vocab.json with other ids than that of the data.
// Accepts what is not known.
void require_same_tokens(const std::filesystem::path& folder, const std::filesystem::path& data_folder,
                         const std::string& cure);

// Copies the tokenizer of `set`, which lies in `data_folder`, beside an exported model. Throws IoError; FormatError for
// a file that is not the one that the manifest describes.
void copy_tokenizer(const TokenSet& set, const std::filesystem::path& data_folder, const std::filesystem::path& folder);

}  // namespace bertprep
