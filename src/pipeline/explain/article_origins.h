// ArticleOrigins: the article at a position in a text shard, and its origin.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/stages/origins_file.h"
#include "pipeline/text_shards/assignment_file.h"

namespace bertprep {

struct ArticleOrigin {
  std::filesystem::path formatted{};  // empty: not recorded
  std::uint64_t number = 0;           // of the article in that file, from 1
  std::string origin{};               // a JSON object (docs/formats/origins.md); empty: not recorded
  std::string why_not{};              // what is missing in the records, and why
};

class ArticleOrigins {
 public:
  // Reads the records of `shard` and `run` about `text_shard`. find() reports missing ones. Throws IoError.
  explicit ArticleOrigins(const std::filesystem::path& text_shard);

  // The origin of the article at byte `byte` of the text shard. Throws IoError, FormatError for damaged origins.
  ArticleOrigin find(std::uint64_t byte);

 private:
  void load(const std::filesystem::path& text_shard);
  const std::optional<OriginsFile>& origins_of(const std::filesystem::path& formatted);

  std::vector<AssignmentFile::PlacedArticle> articles_;  // of the shard
  std::vector<TextSource> sources_;
  std::string why_not_;
  std::map<std::filesystem::path, std::optional<OriginsFile>> origins_;  // by formatted file
};

}  // namespace bertprep
