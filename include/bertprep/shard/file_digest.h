// The digest of a file's bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "bertprep/base/progress.h"

namespace bertprep {

struct FileDigest {
  std::uint64_t bytes = 0;
  std::string sha256;  // lower-case hex
};

// Throws IoError, Cancelled.
FileDigest digest_file(const std::filesystem::path& path, const Progress& progress = {});

}  // namespace bertprep
