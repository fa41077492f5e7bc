// Bundle: the articles of one piece of the corpus, ordered by text shard.
//
// A shard takes its articles from all over the corpus. Read from the formatted pieces, every shard would cost a pass
// over the corpus; from bundles it costs two reads per piece.
//
// Little-endian numbers of 8 bytes: for each shard the offset of its section, and the end of the last one; for each
// shard the checksum of its section, seeded with its number; then the sections: articles, for each article its offset
// in the text shard and its bytes, then the articles' sentence lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "bertprep/base/progress.h"
#include "pipeline/text_shards/shard_assignment.h"

namespace bertprep {

// A piece of formatted text with its sentence index, and the places of its articles.
struct PieceText {
  std::filesystem::path text;
  std::filesystem::path index;
  std::span<const AssignmentFile::Place> places;
  std::string text_sha256;  // of the text as written
};

// Writes the bundle at `path`. Memory: 50 bytes per article and some blocks of text. Throws IoError, FormatError,
// Cancelled.
void write_bundle(const PieceText& piece, std::size_t shards, const std::filesystem::path& path, std::size_t threads,
                  Progress& progress);

// Copies the articles of one shard from the bundle to their places in `text`, the text shard, and returns their size in
// bytes. `shards` is the number of shards in the bundle. Throws IoError, and FormatError for a damaged section.
std::uint64_t copy_section(const std::filesystem::path& bundle, std::size_t shard, std::size_t shards,
                           std::span<char> text);

}  // namespace bertprep
