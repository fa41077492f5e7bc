#include "pipeline/text_shards/write_text_shards.h"

#include <utility>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/output_file.h"
#include "pipeline/text_shards/formatted_text.h"
#include "pipeline/work/workers.h"
#include "stream/zstd_codec.h"

namespace bertprep {
namespace {

[[noreturn]] void throw_changed(const std::filesystem::path& file) {
  throw FormatError("its text changed between two reads", file, "run the command again");
}

bool has_frames(std::string_view index) {
  IndexReader blocks(index);
  while (blocks.next()) {
    if (blocks.text_bytes() != 0) return blocks.frame().bytes != 0;
  }
  return false;
}

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
  IndexedBlocks(const IndexedText& input, const TaskRunner& runner)
      : input_(input), index_(input.index), blocks_(index_.bytes()), texts_(input.files, "", runner) {
    if (has_frames(index_.bytes()) && input.files.size() == 1) frames_.emplace(input.files.front());
  }

  // The bytes of text in all blocks.
  std::uint64_t text_bytes() const {
    IndexReader blocks(index_.bytes());
    std::uint64_t bytes = 0;
    while (blocks.next()) bytes += blocks.text_bytes();
    return bytes;
  }

  // False at the end. Throws IoError, and FormatError if a file is shorter than the index says.
  bool next(IndexedBlock& block) {
    if (!blocks_.next()) return false;
    block.text_bytes = blocks_.text_bytes();
    block.checksum = blocks_.frame().checksum;
    block.list = blocks_.list();
    block.first_article = std::exchange(articles_, articles_ + blocks_.articles());
    if (!frames_) {
      block.text = texts_.next_bytes(block.text_bytes).text;
      return true;
    }
    const std::size_t size = blocks_.frame().bytes;
    if (size > frames_->size_bytes()) throw_changed(frames_->path());
    block.stored.resize(size);
    if (frames_->read(block.stored) != size) throw_changed(frames_->path());
    return true;
  }

  // Makes the text of a block. Thread-safe. Throws FormatError if its frame is not the indexed one.
  void unpack(IndexedBlock& block) const {
    if (!frames_) return;
    if (!block.stored.empty()) {
      if (checksum_of(block.stored) != block.checksum) throw_changed(frames_->path());
      block.text = zstd_frame_bytes(block.stored, block.text_bytes);
      block.stored = {};
    }
    if (block.text.size() != block.text_bytes) throw_changed(frames_->path());
  }

  // Call it after the last block. Returns the number of articles. Throws FormatError if the text is another one.
  std::size_t finish() {
    if (frames_) {
      char more = 0;
      if (frames_->read({&more, 1}) != 0) throw_changed(frames_->path());
    } else if (texts_.sha256() != input_.text_sha256) {
      throw_changed(input_.files.empty() ? std::filesystem::path() : input_.files.front());
    }
    return articles_;
  }

 private:
  IndexedText input_;
  MappedFile index_;
  IndexReader blocks_;
  std::optional<InputFile> frames_;  // the file, if the index has its frames
  FormattedText texts_;
  std::size_t articles_ = 0;
};

// The text shards. As many stay open as the process may have; the others are opened for every article.
class ShardFiles {
 public:
  explicit ShardFiles(std::span<const std::filesystem::path> paths) : paths_(paths) {
    const std::size_t max_open = PlacedFile::max_open();
    for (const std::filesystem::path& path : paths) {
      PlacedFile file(path);
      if (open_.size() < max_open) {
        open_.push_back(std::move(file));
      } else {
        file.finish();
      }
    }
  }

  // Thread-safe.
  void write_at(std::size_t shard, std::uint64_t offset, std::string_view bytes) const {
    if (shard < open_.size()) return open_[shard].write_at(offset, bytes);
    PlacedFile file = PlacedFile::reopen(paths_[shard]);
    file.write_at(offset, bytes);
    file.finish();
  }

  void finish() {
    for (PlacedFile& file : open_) file.finish();
  }

 private:
  std::span<const std::filesystem::path> paths_;
  std::vector<PlacedFile> open_;  // the first of them
};

void write_articles(const IndexedBlock& block, const ArticlePlaces& places, const ShardFiles& files) {
  ListedArticles articles(block.list, block.text);
  std::vector<std::string_view> sentences;
  std::string lines;
  for (std::size_t article = block.first_article; articles.next(sentences); ++article) {
    if (article >= places.shard.size()) {
      throw FormatError("the sentence index has more articles than were placed", {}, "run the command with `force`");
    }
    lines.clear();
    for (const std::string_view sentence : sentences) {
      lines += sentence;
      lines += '\n';
    }
    lines += '\n';
    files.write_at(places.shard[article], places.offset[article], lines);
  }
}

}  // namespace

void write_text_shards(const IndexedText& input, const ArticlePlaces& places,
                       std::span<const std::filesystem::path> paths, std::size_t threads, Progress& progress) {
  IndexedBlocks blocks(input, task_runner(threads));
  ShardFiles files(paths);

  progress.begin("text shards", blocks.text_bytes(), "bytes");
  const auto read = [&]() -> std::unique_ptr<IndexedBlock> {
    auto block = std::make_unique<IndexedBlock>();
    return blocks.next(*block) ? std::move(block) : nullptr;
  };
  const auto write = [&](IndexedBlock& block) {
    blocks.unpack(block);
    write_articles(block, places, files);
  };
  const auto count = [&](IndexedBlock& block) { progress.advance(block.text_bytes); };
  run_ordered<IndexedBlock>(threads, progress, read, write, count);
  if (blocks.finish() != places.shard.size()) {
    throw FormatError("the sentence index does not match the text", input.index, "run the command with `force`");
  }
  files.finish();
  progress.end();
}

}  // namespace bertprep
