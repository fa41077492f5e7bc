// write_text_shards: formatted files, their sentence index and an assignment -> text shards, in one sequential pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/task_runner.h"
#include "bertprep/base/progress.h"
#include "io/input_file.h"
#include "pipeline/text_shards/formatted_text.h"
#include "pipeline/text_shards/sentence_index.h"
#include "pipeline/text_shards/shard_assignment.h"

namespace bertprep {

// IndexedText: formatted files, read again block by block with their sentence index.
struct IndexedText {
  std::span<const std::filesystem::path> files;
  std::filesystem::path index;
  std::string text_sha256;  // as by digest_text(), when the index was made
};

// A block of text, its part of the index, and the number of its first article.
struct IndexedBlock {
  std::string stored;  // the text as its frame; empty if `text` is already there
  std::string text;
  std::size_t text_bytes = 0;
  std::uint64_t checksum = 0;  // of `stored`
  std::string_view list;
  std::size_t first_article = 0;
};

// Reads blocks in the order of the text. Where the index has the frames of a file, each block is read as stored, so
// that threads can share decompressing and checking it; other files are decompressed in order.
class IndexedBlocks {
 public:
  IndexedBlocks(const IndexedText& input, const TaskRunner& runner);

  // The bytes of text in all blocks.
  std::uint64_t text_bytes() const;
  // False at the end. Throws IoError, and FormatError if a file is shorter than the index says.
  bool next(IndexedBlock& block);
  // Makes the text of a block. Thread-safe. Throws FormatError if its frame is not the indexed one.
  void unpack(IndexedBlock& block) const;
  // Call it after the last block. Returns the number of articles. Throws FormatError if the text is another one.
  std::size_t finish();

 private:
  IndexedText input_;
  MappedFile index_;
  IndexReader blocks_;
  std::optional<InputFile> frames_;  // the file, if the index has its frames
  FormattedText texts_;
  std::size_t articles_ = 0;
};

// The place of every article. Memory: 12 bytes per article.
struct ArticlePlaces {
  std::vector<std::uint32_t> shard;
  std::vector<std::uint64_t> offset;  // in the text shard
  std::vector<std::uint64_t> shard_bytes;
};
// Shards are numbered consecutively: training, then test. Takes the memory of `bytes`.
ArticlePlaces places_of(const ShardAssignment& assignment, std::vector<std::uint64_t> bytes);

// Writes shard k to paths[k]. Writes every article at its place as the pass reaches it; all text shards are open
// meanwhile. Throws IoError, FormatError if files and index do not match, Cancelled.
void write_text_shards(const IndexedText& input, const ArticlePlaces& places,
                       std::span<const std::filesystem::path> paths, std::size_t threads, Progress& progress);

}  // namespace bertprep
