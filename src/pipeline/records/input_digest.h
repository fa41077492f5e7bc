// InputDigest: what the inputs of a stage hold, whatever they are called and whenever they were written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "bertprep/base/progress.h"
#include "bertprep/pipeline/corpus.h"

namespace bertprep {

struct InputDigest {
  std::string sha256;  // over the digests of the files, in their order
  std::uint64_t bytes = 0;
};

// The files that open_corpus would read; a stretch "check" of `progress`. Throws IoError, and Cancelled.
InputDigest digest_corpus(std::span<const CorpusPart> parts, Progress& progress);
// Files as they are given.
InputDigest digest_files(std::span<const std::filesystem::path> files, Progress& progress);

}  // namespace bertprep
