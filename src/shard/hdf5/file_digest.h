// The size of a file, and the digest of its bytes.
#pragma once

#include <filesystem>

#include "bertprep/base/progress.h"
#include "bertprep/shard/shard_writer.h"
#include "io/digest.h"
#include "io/input_file.h"

namespace bertprep {

// Throws IoError, Cancelled.
inline FileDigest digest_file(const std::filesystem::path& path, const Progress& progress = {}) {
  return {InputFile(path).size_bytes(), sha256_of_file(path, progress)};
}

}  // namespace bertprep
