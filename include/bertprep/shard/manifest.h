// Manifest: the contents of a folder of shards, and how they were made. docs/formats/manifest.md describes
// manifest.json.
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

// The vocabulary whose ids the shards hold.
struct ManifestVocab {
  // Its copy in the folder of the shards.
  static constexpr const char* kFileName = "vocab.txt";

  std::string name;  // in the catalogue, else the name of its file; empty: not known
  std::string sha256;
  std::uint64_t size = 0;  // pieces
  // How the text was changed before it was looked up.
  bool lower_case = true;
  bool strip_accents = true;
};

// What a dataset was made from that was not on this machine.
struct ManifestSource {
  std::string address;  // of a dataset of the Hub with its commit
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  std::string sha256{};  // of the digests of its files, in hex, a line each, in their order
};

// A property of the data that is out of its range (docs/formats/data.md).
struct DataWarning {
  std::string about;  // as the section "data" names it: "unknown_share"
  std::string text;   // what is wrong, why that is bad, and what to do
};

// Documents of the input that did not become articles, by reason.
struct DroppedDocuments {
  ReasonCounts rejected;  // bad records
  ReasonCounts left_out;  // documents that are not articles: "redirect", "no text"
};

struct Manifest {
  static constexpr const char* kFileName = "manifest.json";

  std::string dataset;
  // The options that determine the bytes, by name: "seq-len" -> "128". Values are text; whole numbers, decimals and
  // true/false are written without quotes.
  std::vector<std::pair<std::string, std::string>> recipe;
  // The number of bad input records that were left out of the text, by reason.
  ReasonCounts rejected_by_reason;
  // Of a run whose inputs were addresses.
  std::vector<ManifestSource> sources{};
  // Nothing if the folder has no copy of the vocabulary.
  std::optional<ManifestVocab> vocabulary{};
  // The section "data", a JSON object of counts (docs/formats/data.md). Empty if an older version made a shard.
  std::string data{};
  std::vector<DataWarning> warnings{};
  std::vector<ManifestShard> shards;

  std::uint64_t rows() const;
  // The value of a recipe entry, or nothing.
  std::optional<std::string> recipe_value(const std::string& name) const;
  // What it says of a file; null if it does not name the file.
  const ManifestShard* shard(const std::string& file) const;

  // Throws IoError, FormatError.
  static Manifest load(const std::filesystem::path& file);
  // Whether bertprep wrote the file, even if it is damaged. Throws IoError.
  static bool is_own(const std::filesystem::path& file);
  // The manifest in `folder`; nothing if there is none, a damaged one, or another program's. Throws IoError.
  static std::optional<Manifest> find(const std::filesystem::path& folder);
  // The bytes of manifest.json; they depend only on the content.
  std::string to_json() const;
};

}  // namespace bertprep
