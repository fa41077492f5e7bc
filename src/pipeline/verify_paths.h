// verify_paths: all that `verify` checks at paths.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "bertprep/pipeline/stages.h"

namespace bertprep {

struct VerifiedPath {
  std::filesystem::path path{};
  std::string kind{};  // "files" that completion records name, "sequences" or "shards"
  VerifyReport report{};
  bool has_manifest = true;  // false: a set of sequences that is unfinished, or another program's
};

// Checks what completion records name, sets of token sequences and folders of shards at or below the paths, in this
// order. Throws IoError; FormatError if there is nothing to check at a path; Cancelled.
void verify_paths(const std::vector<std::filesystem::path>& paths, const WorkOptions& work, Progress& progress,
                  const std::function<void(const VerifiedPath& verified)>& take);

}  // namespace bertprep
