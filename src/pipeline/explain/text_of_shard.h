// The text shard that a shard was made of.
#pragma once

#include <filesystem>

#include "bertprep/shard/manifest.h"

namespace bertprep {

// Where to look for text shards.
struct TextPlace {
  std::filesystem::path text{};  // a text shard, or a folder of them; empty: those of the run
  std::filesystem::path work{};  // of the run; empty: where runs put it unless they are told otherwise
};

// `shard` with the entry of its manifest, `entry`. The file is there, and what it holds is not looked at. Throws
// FormatError that says how to bring it back, ConfigError where nothing says where to look.
std::filesystem::path find_text_shard(const std::filesystem::path& shard, const Manifest& manifest,
                                      const TextPlace& place);

// The rest of a message on text that is gone or is another one: the command that makes it again.
std::string text_shard_cure(const std::filesystem::path& shard, const Manifest& manifest, const TextPlace& place);

}  // namespace bertprep
