// ShardAssignment: the text shard of each article, and AssignmentFile, which keeps it.
//
// The rules are those of the reference's sharding: every shard takes one of the longest articles; then, pass
// by pass, every shard that is not fuller than the median of its split takes the longest article that still
// fits under the nominal number of sentences of its split, and a pass in which nothing fits raises the
// nominal number for training.
#pragma once

#include "bertprep/pipeline/pipeline_options.h"
#include "io/input_file.h"
#include "io/json.h"
#include "pipeline/text_shards/sentence_index.h"

namespace bertprep {

// The articles of each shard in the order in which they are written.
struct ShardAssignment {
  std::vector<std::vector<std::uint32_t>> training;
  std::vector<std::vector<std::uint32_t>> test;
};

// What articles weigh when they are shared out: their sentences, as in the reference, which are taken from `sizes`;
// documents as they are have none, and weigh their bytes, in about as many parts.
std::vector<std::uint32_t> weights_of(ArticleSizes& sizes, bool as_is);

// Article k has sentences_per_article[k] sentences, at least one; there are fewer than 2^32 articles. Memory:
// about 16 bytes per article. Throws ConfigError for options out of range, FormatError for fewer articles than shards,
// and Error for an article without sentences.
ShardAssignment place_articles(std::span<const std::uint32_t> sentences_per_article, const ShardingOptions& options);

// The place of every article. Memory: 12 bytes per article.
struct ArticlePlaces {
  std::vector<std::uint32_t> shard;
  std::vector<std::uint64_t> offset;  // in the text shard
  std::vector<std::uint64_t> shard_bytes;
};
// Shards are numbered consecutively: training, then test. Takes the memory of `bytes`.
ArticlePlaces places_of(const ShardAssignment& assignment, std::vector<std::uint64_t> bytes);

// Writes an AssignmentFile. `first_articles`: of the pieces, and all articles at the end. Throws IoError.
void write_assignment(const std::filesystem::path& file, const ArticlePlaces& places,
                      std::span<const std::uint64_t> first_articles);

// AssignmentFile: the shard of each article, for the tasks that write them, and for finding the article of a row later.
//
// Little-endian numbers: shards, pieces and articles (8 bytes each), the bytes of every text shard (8 each), the number
// of the first article of every piece, and of all articles (8 each), the checksum of the preceding bytes (8) and one
// for the articles of every piece (8 each), then for every article, in the order of the corpus, its offset in the text
// shard (8), and after all offsets, for every article its shard (4).
class AssignmentFile {
 public:
  // Throws IoError, and FormatError with `hint` for a damaged file, as all functions that throw it.
  explicit AssignmentFile(const std::filesystem::path& file, std::string hint = "run the stage 'place' again");
  // Reads all of it. Throws FormatError.
  void check() const;

  std::size_t shards() const { return static_cast<std::size_t>(shards_); }
  std::size_t pieces() const { return static_cast<std::size_t>(pieces_); }
  std::uint64_t articles() const { return articles_; }
  std::uint64_t shard_bytes(std::size_t shard) const;

  struct Place {
    std::uint32_t shard;
    std::uint64_t offset;
  };
  // For the articles of a piece, in order. Throws FormatError.
  std::vector<Place> places_of_piece(std::size_t piece) const;

  // An article in its text shard: bytes [begin, end), including its empty line.
  struct PlacedArticle {
    std::uint64_t article;
    std::uint64_t begin;
    std::uint64_t end;
  };
  // The articles of a shard, in its order. Scans all articles. Throws FormatError.
  std::vector<PlacedArticle> articles_of_shard(std::size_t shard) const;

 private:
  std::uint64_t number_at(std::uint64_t index) const;

  bool has_valid_numbers() const;
  std::string_view head() const;
  // The offsets, and the shards, of articles [begin, end).
  std::string_view offsets(std::uint64_t begin, std::uint64_t end) const;
  std::string_view shards_of(std::uint64_t begin, std::uint64_t end) const;

  std::filesystem::path path_;
  std::string hint_;
  MappedFile file_;
  std::uint64_t shards_ = 0;
  std::uint64_t pieces_ = 0;
  std::uint64_t articles_ = 0;
};

// The sources of text shards, for finding the article of a row later. The record of text shards has their formatted
// files with the number of articles in each; the assignment has the shard of each article.
struct TextSource {
  std::filesystem::path file;  // formatted, or a resharded text shard
  std::uint64_t articles = 0;
};

inline constexpr const char* kTextSources = "formatted";

// The name of a dataset's assignment in the state folder of its text shards.
std::string article_places_name(const std::string& dataset);
// The damaged ones among the assignments in the state folder `state`. Reads them. Throws IoError.
std::vector<std::filesystem::path> damaged_assignments(const std::filesystem::path& state);

// Paths are relative to the folder of text shards, so that equal runs leave equal records.
Json json_of(std::span<const TextSource> sources, const std::filesystem::path& text_shards);
// The inverse; empty for records of earlier versions. Throws FormatError.
std::vector<TextSource> text_sources_in(const Json& counts, const std::filesystem::path& text_shards);

}  // namespace bertprep
