// The text shard from which a shard was made, and the articles in it.
#pragma once

#include <map>

#include "bertprep/shard/manifest.h"
#include "pipeline/stages/origins_file.h"
#include "pipeline/text_shards/shard_assignment.h"

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

struct ArticleOrigin {
  std::filesystem::path formatted{};  // empty: not recorded
  std::uint64_t number = 0;           // of the article in that file, from 1
  std::string origin{};               // a JSON object (docs/formats/origins.md); empty: not recorded
  std::string why_not{};              // what is missing in the records, and why
};

// ArticleOrigins: the article at a position in a text shard, and its origin.
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
