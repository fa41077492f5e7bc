// AssignmentFile: which article goes into which shard, for the tasks that carry it out, and to find the article of a
// row later.
//
// Little-endian numbers: shards, pieces and articles (8 bytes each), the bytes of every text shard (8 each), the number
// of the first article of every piece and of the one behind the last (8 each), the checksum of what comes before (8)
// and one for the articles of every piece (8 each), then for every article, in the order of the corpus, its offset in
// the text shard (8) and, behind all offsets, its shard (4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/input_file.h"
#include "io/json.h"
#include "pipeline/text_shards/write_text_shards.h"

namespace bertprep {

// `first_articles` of the pieces, and all articles at the end. Throws IoError.
void write_assignment(const std::filesystem::path& file, const ArticlePlaces& places,
                      std::span<const std::uint64_t> first_articles);

class AssignmentFile {
 public:
  // Throws IoError, and FormatError for a damaged file.
  explicit AssignmentFile(const std::filesystem::path& file);

  std::size_t shards() const { return static_cast<std::size_t>(shards_); }
  std::size_t pieces() const { return static_cast<std::size_t>(pieces_); }
  std::uint64_t articles() const { return articles_; }
  std::uint64_t shard_bytes(std::size_t shard) const;

  struct Place {
    std::uint32_t shard;
    std::uint64_t offset;
  };
  // Of the articles of a piece, in their order. Throws FormatError.
  std::vector<Place> places_of_piece(std::size_t piece) const;

  // An article in its text shard: bytes [begin, end), with the empty line behind it.
  struct PlacedArticle {
    std::uint64_t article;
    std::uint64_t begin;
    std::uint64_t end;
  };
  // The articles of a shard in their order there. Looks at all articles. Throws FormatError.
  std::vector<PlacedArticle> articles_of_shard(std::size_t shard) const;

 private:
  std::uint64_t number_at(std::uint64_t index) const;

  bool has_sound_numbers() const;
  std::string_view head() const;
  // The offsets, and the shards, of articles [begin, end).
  std::string_view offsets(std::uint64_t begin, std::uint64_t end) const;
  std::string_view shards_of(std::uint64_t begin, std::uint64_t end) const;

  std::filesystem::path path_;
  MappedFile file_;
  std::uint64_t shards_ = 0;
  std::uint64_t pieces_ = 0;
  std::uint64_t articles_ = 0;
};

// What text shards were made of, to find the article of a row later. The record of text shards names their formatted
// files and says how many articles each gave; which of them went into which shard says the assignment.
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
