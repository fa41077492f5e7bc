// Small results of commands, such as vocabularies: written whole or not at all.
#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace bertprep {

// Before any work: throws ConfigError when `file` is one of `inputs` (files or folders) or lies in one, and, unless
// `replace`, FormatError when it is there and no earlier call published it.
void check_publishable(const std::filesystem::path& file, std::span<const std::filesystem::path> inputs, bool replace);

// Writes `bytes` beside `file`, then renames, and leaves a completion record. Folders above it are made, an older file
// is replaced. Throws IoError.
void publish_whole(const std::filesystem::path& file, const std::string& bytes);

}  // namespace bertprep
