// Manifest: what lies in a folder of shards, and how it was made. docs/formats/manifest.md describes manifest.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bertprep/base/progress.h"

namespace bertprep {

struct ManifestShard {
  std::string file;  // name inside the folder
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  std::string sha256;       // of the file
  std::string text_sha256;  // of the text shard it was made from
};

struct Manifest {
  static constexpr const char* kFileName = "manifest.json";

  std::string dataset;
  // What decided the bytes, by name: "seq-len" -> "128". Values are text; whole numbers, decimals and true/false are
  // written without quotes.
  std::vector<std::pair<std::string, std::string>> recipe;
  // How many records of the input were left out of the text as they were bad, for each reason.
  ReasonCounts rejected_by_reason;
  std::vector<ManifestShard> shards;

  std::uint64_t rows() const;
  // The value of a recipe entry, or nothing.
  std::optional<std::string> recipe_value(const std::string& name) const;

  // Throws IoError, FormatError.
  static Manifest load(const std::filesystem::path& file);
  // The bytes of manifest.json; they depend on the content alone.
  std::string to_json() const;
};

}  // namespace bertprep
