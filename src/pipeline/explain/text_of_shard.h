// Finds the text shard from which a shard was made.
#pragma once

#include <filesystem>

#include "bertprep/shard/manifest.h"

namespace bertprep {

// Where to look for text shards.
struct TextPlace {
  std::filesystem::path text{};  // a text shard, or a folder of them; empty: those of the run
  std::filesystem::path work{};  // of the run; empty: the default of runs
};

// `entry` is the entry of `shard` in its manifest. The returned file exists, but its content is not checked. Throws
// FormatError, which says how to restore the file, or ConfigError if the place to search is unknown.
std::filesystem::path find_text_shard(const std::filesystem::path& shard, const Manifest& manifest,
                                      const TextPlace& place);

// The end of a message about missing or changed text: the command that makes it again.
std::string text_shard_hint(const std::filesystem::path& shard, const Manifest& manifest, const TextPlace& place);

}  // namespace bertprep
