#include "pipeline/text_shards/split_pass.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "io/output_file.h"
#include "pipeline/text_shards/formatted_text.h"
#include "pipeline/work/workers.h"
#include "stream/open_stream.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

struct SplitBlock {
  TextBlock text;
  std::uint64_t file_bytes = 0;  // read so far
  bool valid = true;
  IndexBlock index;
  std::string index_bytes;
};

// The first line number of a block is unknown while blocks are split in parallel; it is counted only if needed.
[[noreturn]] void throw_invalid_utf8(const TextBlock& block) {
  std::string text;
  const auto stream = open_stream(block.file);
  for (std::string_view bytes = stream->next_block(); !bytes.empty(); bytes = stream->next_block()) text += bytes;
  require_valid_utf8(text, block.file);
  throw FormatError("invalid UTF-8", block.file);
}

}  // namespace

SplitTexts split_texts(const SplitInput& input, const SentenceSplitter& splitter,
                       const std::filesystem::path& index_path, std::size_t threads, Progress& progress) {
  std::uint64_t file_bytes = 0;
  for (const std::filesystem::path& file : input.files) file_bytes += InputFile(file).size_bytes();
  FormattedText texts(input.files, input.split_lines ? "\n\n" : "\n", task_runner(threads));
  if (input.max_article_bytes != 0) texts.set_limit(input.max_article_bytes);
  const BlockSplitter blocks(splitter, input.split_lines);
  OutputFile index(index_path);
  SplitTexts result;
  result.file_articles.resize(input.files.size());
  std::uint64_t reported_bytes = 0;

  progress.begin("sentences", file_bytes, "bytes");
  const auto read = [&]() -> std::unique_ptr<SplitBlock> {
    std::optional<TextBlock> text = texts.next_block();
    if (!text) return nullptr;
    auto block = std::make_unique<SplitBlock>();
    block->text = std::move(*text);
    block->file_bytes = texts.file_bytes_read();
    return block;
  };
  const auto split = [&](SplitBlock& block) {
    block.valid = !find_invalid_utf8(block.text.text);
    if (!block.valid) return;
    block.index = blocks.split(block.text.text);
    block.index_bytes = encode(block.index);
  };
  const auto write = [&](SplitBlock& block) {
    if (!block.valid) throw_invalid_utf8(block.text);
    index.write(block.index_bytes);
    result.sizes.add(block.index.articles);
    result.file_articles[block.text.file_number] += block.index.articles.size();
    result.text_bytes += block.text.text.size();
    progress.advance(block.file_bytes - std::exchange(reported_bytes, block.file_bytes));
  };
  run_ordered<SplitBlock>(threads, progress, read, split, write);
  progress.advance(file_bytes - std::min(file_bytes, reported_bytes));
  index.finish();
  result.text_sha256 = texts.sha256();
  result.file_sha256 = texts.file_sha256();
  progress.end();
  return result;
}

ArticleSizes sizes_of_index(const std::filesystem::path& index_path) {
  const MappedFile file(index_path);
  IndexReader blocks(file.bytes());
  ArticleSizes sizes;
  while (blocks.next()) sizes.add(sizes_of_list(blocks.list(), blocks.articles(), blocks.text_bytes()));
  return sizes;
}

}  // namespace bertprep
