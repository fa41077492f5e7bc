// Croissant 1.1 (docs/cli/croissant.md): what a dataset is and which files it has, as JSON-LD for those who publish it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/shard/manifest.h"

namespace bertprep {

inline constexpr const char* kCroissantFileName = "croissant.json";  // beside the manifest

// What no manifest knows. What is empty is left out of the document.
struct CroissantFacts {
  std::string license{};      // a URL
  std::string url{};          // the page of the dataset
  std::string creator{};      // name of an organization
  std::string date{};         // of publication, YYYY-MM-DD
  std::string description{};  // empty: one that is composed from the manifest
};

// A file of the dataset, in the same folder as the document.
struct PublishedFile {
  std::string name;
  std::uint64_t bytes = 0;
  std::string sha256;
  std::string media_type;
};

// Throws ConfigError when a URL is not an absolute one of http or https, or the date is not a day of the calendar.
void validate(const CroissantFacts& facts);

// The shards in the order of the manifest, then the copy of the vocabulary. Reads all of them, and throws FormatError
// when one is not what the manifest says: digests that are older than their files mislead. Throws IoError, Cancelled.
std::vector<PublishedFile> published_files(const std::filesystem::path& folder, const Manifest& manifest,
                                           Progress& progress);

// The document. The same arguments give the same bytes.
std::string croissant_json(const Manifest& manifest, const std::vector<PublishedFile>& files,
                           const CroissantFacts& facts);

// Names of the manifest's files for which a document, whoever wrote it, has another sha256; sorted. Throws FormatError
// with `name` when `document` is not JSON.
std::vector<std::string> outdated_files(std::string_view document, const std::string& name, const Manifest& manifest);

}  // namespace bertprep
