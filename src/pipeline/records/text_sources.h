// TextSources: what text shards were made of, to find the article of a row later.
//
// The record of text shards names their formatted files and says how many articles each gave; which of them went into
// which shard says the file of assignments in the state folder (pipeline/text_shards/assignment_file.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "io/json.h"

namespace bertprep {

struct TextSource {
  std::filesystem::path file;  // formatted, or a text shard that was shared out anew
  std::uint64_t articles = 0;
};

inline constexpr const char* kTextSources = "formatted";

// Of the assignment of a dataset, in the state folder of its text shards.
std::string article_places_name(const std::string& dataset);

// Paths are written relative to the folder of text shards, so that equal runs leave equal records.
Json json_of(std::span<const TextSource> sources, const std::filesystem::path& text_shards);
// Back; none in records of earlier versions. Throws FormatError.
std::vector<TextSource> text_sources_in(const Json& counts, const std::filesystem::path& text_shards);

}  // namespace bertprep
