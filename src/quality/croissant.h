// Croissant 1.1 (docs/cli/croissant.md): the metadata of a dataset and its files as JSON-LD, for publishing.
#pragma once

#include "bertprep/shard/manifest.h"

namespace bertprep {

inline constexpr const char* kCroissantFileName = "croissant.json";  // next to the manifest

// Facts that no manifest has. Empty ones are left out of the document.
struct CroissantFacts {
  std::string license{};      // a URL
  std::string url{};          // the page of the dataset
  std::string creator{};      // name of an organization
  std::string date{};         // of publication, YYYY-MM-DD
  std::string description{};  // empty: composed from the manifest
};

// A file of the dataset, in the same folder as the document.
struct PublishedFile {
  std::string name;
  std::uint64_t bytes = 0;
  std::string sha256;
  std::string media_type;
};

// Throws ConfigError if a URL is not an absolute http or https URL, or the date is not a calendar date.
void validate(const CroissantFacts& facts);

// The shards in the order of the manifest, then the copy of the vocabulary. Reads all of them, and throws FormatError
// if one differs from the manifest: outdated digests would mislead. Throws IoError, Cancelled.
std::vector<PublishedFile> published_files(const std::filesystem::path& folder, const Manifest& manifest,
                                           Progress& progress);

// The document. The same arguments give the same bytes.
std::string croissant_json(const Manifest& manifest, const std::vector<PublishedFile>& files,
                           const CroissantFacts& facts);

// Names of the manifest's files for which a document, of any origin, has another sha256; sorted. Throws FormatError
// with `name` if `document` is not JSON.
std::vector<std::string> outdated_files(std::string_view document, const std::string& name, const Manifest& manifest);

}  // namespace bertprep
