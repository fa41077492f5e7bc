// The vocabulary that a shard was made with.
#pragma once

#include <filesystem>
#include <optional>

#include "bertprep/token/vocab.h"
#include "console/console.h"

namespace bertprep::cli {

// Looks for it by the digest that the manifest beside the shard has: vocab.txt there, the vocabularies of the catalogue
// that are on this machine, and those that runs have downloaded. Nothing, with a note that says what to do, when there
// is no manifest or the vocabulary is not found. Throws FormatError for a damaged manifest.
std::optional<Vocab> vocab_of_shard(const std::filesystem::path& shard, Console& console);

}  // namespace bertprep::cli
