#include "shard/hdf5/file_digest.h"

#include "io/digest.h"
#include "io/input_file.h"

namespace bertprep {

FileDigest digest_file(const std::filesystem::path& path, const Progress& progress) {
  return {InputFile(path).size_bytes(), sha256_of_file(path, progress)};
}

}  // namespace bertprep
