// ArticleOrigins: the article of a place in a text shard, and where it came from.
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
  std::uint64_t number = 0;           // of the article in it, from 1
  std::string origin{};               // a JSON object (docs/formats/origins.md); empty: not recorded
  std::string why_not{};              // what is not recorded, and why
};

class ArticleOrigins {
 public:
  // Reads what `shard` and `run` have recorded of `text_shard`. What they have not, find() tells. Throws IoError.
  explicit ArticleOrigins(const std::filesystem::path& text_shard);

  // Of the article to which byte `byte` of the text shard belongs. Throws IoError, FormatError for damaged origins.
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
