// Bundle: the articles of one piece of the corpus, ordered by the text shard into which they go.
//
// A shard takes its articles from all over the corpus. Read from the formatted pieces, every shard would cost the whole
// corpus; from bundles it costs two reads a piece.
//
// Little-endian numbers of 8 bytes: for each shard where its section begins, and where the last one ends; for each
// shard the checksum of its section, begun with its number; then the sections: articles, for each article its offset in
// the text shard and its bytes, then the articles' sentence lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "bertprep/base/progress.h"
#include "pipeline/text_shards/assignment_file.h"

namespace bertprep {

// A piece of formatted text with its sentence index, and where its articles go.
struct PieceText {
  std::filesystem::path text;
  std::filesystem::path index;
  std::span<const AssignmentFile::Place> places;
  std::string text_sha256;  // of the text as it was written
};

// Writes the bundle at `path`. Memory: 50 bytes an article and some blocks of text. Throws IoError, FormatError,
// Cancelled.
void write_bundle(const PieceText& piece, std::size_t shards, const std::filesystem::path& path, std::size_t threads,
                  Progress& progress);

// Copies the articles of one shard from the bundle to their places in `text`, the text shard, and returns how many
// bytes these are. `shards` is the number of them in the bundle. Throws IoError, and FormatError for a damaged section.
std::uint64_t copy_section(const std::filesystem::path& bundle, std::size_t shard, std::size_t shards,
                           std::span<char> text);

}  // namespace bertprep
