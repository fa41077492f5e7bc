#include "pipeline/text_shards/write_text_shards.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "io/output_file.h"
#include "pipeline/text_shards/formatted_text.h"
#include "pipeline/text_shards/sentence_index.h"
#include "pipeline/work/workers.h"

namespace bertprep {
namespace {

// A block of text, its part of the index, and the number of its first article.
struct ArticleBlock {
  std::string text;
  std::string_view list;
  std::size_t first_article = 0;
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

std::uint64_t text_bytes_of(std::string_view index) {
  IndexReader blocks(index);
  std::uint64_t bytes = 0;
  while (blocks.next()) bytes += blocks.text_bytes();
  return bytes;
}

void write_articles(const ArticleBlock& block, const ArticlePlaces& places, const ShardFiles& files) {
  ListedArticles articles(block.list, block.text);
  std::vector<std::string_view> sentences;
  std::string lines;
  for (std::size_t article = block.first_article; articles.next(sentences); ++article) {
    if (article >= places.shard.size()) {
      throw FormatError("the sentence index has more articles than were placed", {}, "run the command with --force");
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

ArticlePlaces places_of(const ShardAssignment& assignment, std::vector<std::uint64_t> bytes) {
  ArticlePlaces places{std::vector<std::uint32_t>(bytes.size()), std::move(bytes), {}};
  for (const auto* split : {&assignment.training, &assignment.test}) {
    for (const std::vector<std::uint32_t>& articles : *split) {
      const auto shard = static_cast<std::uint32_t>(places.shard_bytes.size());
      std::uint64_t end = 0;
      for (const std::uint32_t article : articles) {
        places.shard[article] = shard;
        end += std::exchange(places.offset[article], end);
      }
      places.shard_bytes.push_back(end);
    }
  }
  return places;
}

std::string write_text_shards(const IndexedText& input, const ArticlePlaces& places,
                              std::span<const std::filesystem::path> paths, std::size_t threads, Progress& progress) {
  const MappedFile index(input.index);
  IndexReader blocks(index.bytes());
  FormattedText texts(input.files, "", task_runner(threads));
  ShardFiles files(paths);
  std::size_t articles = 0;

  progress.begin("text shards", text_bytes_of(index.bytes()), "bytes");
  const auto read = [&]() -> std::unique_ptr<ArticleBlock> {
    if (!blocks.next()) return nullptr;
    auto block = std::make_unique<ArticleBlock>();
    block->text = texts.next_bytes(blocks.text_bytes()).text;
    block->list = blocks.list();
    block->first_article = std::exchange(articles, articles + blocks.articles());
    return block;
  };
  const auto write = [&](ArticleBlock& block) { write_articles(block, places, files); };
  const auto count = [&](ArticleBlock& block) { progress.advance(block.text.size()); };
  run_ordered<ArticleBlock>(threads, progress, read, write, count);
  if (articles != places.shard.size()) {
    throw FormatError("the sentence index does not match the text", input.index, "run the command with --force");
  }
  files.finish();
  std::string text_sha256 = texts.sha256();
  progress.end();
  return text_sha256;
}

}  // namespace bertprep
