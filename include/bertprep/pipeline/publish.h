// Small results that are written whole or not at all.
#pragma once

#include <filesystem>
#include <string>

namespace bertprep {

// Writes `bytes` beside `file`, then renames. Folders above it are made, an older file is replaced. Throws IoError.
void publish_whole(const std::filesystem::path& file, const std::string& bytes);

}  // namespace bertprep
