// The digest of a file's bytes.
#pragma once

#include <filesystem>

#include "bertprep/base/progress.h"
#include "bertprep/shard/shard_writer.h"

namespace bertprep {

// Throws IoError, Cancelled.
FileDigest digest_file(const std::filesystem::path& path, const Progress& progress = {});

}  // namespace bertprep
