// The digest of a file's bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace bertprep {

struct FileDigest {
  std::uint64_t bytes = 0;
  std::string sha256;  // lower-case hex
};

// Throws IoError.
FileDigest digest_file(const std::filesystem::path& path);

}  // namespace bertprep
