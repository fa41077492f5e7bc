#include "pipeline/text_shards/sentence_index.h"

#include <algorithm>
#include <utility>

#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "io/output_file.h"
#include "pipeline/text_shards/article_lines.h"
#include "pipeline/text_shards/formatted_text.h"
#include "pipeline/work/workers.h"
#include "stream/open_stream.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

void append_number(std::uint64_t value, std::string& out) {
  while (value >= 0x80) {
    out += static_cast<char>(value | 0x80);
    value >>= 7;
  }
  out += static_cast<char>(value);
}

[[noreturn]] void throw_damaged() {
  throw FormatError("the sentence index is damaged", "", "run the command with `force`");
}

std::uint64_t take_number(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return value;
  }
  throw_damaged();
}

std::size_t take_at_most(std::size_t most, std::string_view& bytes) {
  const std::uint64_t number = take_number(bytes);
  if (number > most) throw_damaged();
  return number;
}

// The number of an article's sentences, at least one; each takes two numbers of the list.
std::size_t take_count(std::string_view& list) {
  const std::size_t count = take_at_most(list.size() / 2, list);
  if (count == 0) throw_damaged();
  return count;
}

// Appends articles to a block's list.
class Lister {
 public:
  Lister(std::string_view text, IndexBlock& block) : text_(text), block_(block) {}

  void add(std::span<const std::string_view> sentences) {
    if (sentences.empty()) return;
    ArticleSize size{static_cast<std::uint32_t>(sentences.size()), 1};
    append_number(sentences.size(), block_.list);
    for (const std::string_view sentence : sentences) {
      const auto begin = static_cast<std::size_t>(sentence.data() - text_.data());
      append_number(begin - end_, block_.list);
      append_number(sentence.size(), block_.list);
      end_ = begin + sentence.size();
      size.bytes += sentence.size() + 1;
    }
    block_.articles.push_back(size);
  }

 private:
  std::string_view text_;
  IndexBlock& block_;
  std::size_t end_ = 0;
};

// Sentences also end where the layout of the article says so.
void split_article(const SentenceSplitter& splitter, std::string_view article,
                   std::vector<std::string_view>& sentences) {
  std::size_t end = article.find(kSentenceEnd);
  if (end == std::string_view::npos) {
    return splitter.split(article, sentences);
  }
  std::vector<std::string_view> part;
  sentences.clear();
  for (std::size_t begin = 0; begin < article.size(); begin = end + kSentenceEnd.size()) {
    end = std::min(article.find(kSentenceEnd, begin), article.size());
    const std::string_view text = strip(article.substr(begin, end - begin));
    if (text.empty()) continue;
    splitter.split(text, part);
    sentences.insert(sentences.end(), part.begin(), part.end());
  }
}

// Lines end at LF only, and CR is data.
void split_articles(const SentenceSplitter& splitter, std::string_view text, IndexBlock& block) {
  Lister lister(text, block);
  std::vector<std::string_view> sentences;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view article = strip_end(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (article.empty()) continue;
    split_article(splitter, article, sentences);
    lister.add(sentences);
  }
}

void split_sentence_lines(std::string_view text, IndexBlock& block) {
  Lister lister(text, block);
  std::vector<std::string_view> sentences;
  const auto end_article = [&] {
    lister.add(sentences);
    sentences.clear();
  };
  for_each_text_line(text, [&](std::string_view line) {
    const std::string_view sentence = strip(line);
    if (sentence.empty()) {
      end_article();
    } else {
      sentences.push_back(sentence);
    }
  });
  end_article();
}

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

IndexBlock BlockSplitter::split(std::string_view text) const {
  IndexBlock block;
  block.text_bytes = text.size();
  block.list.reserve(text.size() / 32);
  if (split_lines_) {
    split_sentence_lines(text, block);
  } else {
    split_articles(splitter_, text, block);
  }
  return block;
}

std::string encode(const IndexBlock& block) {
  std::string bytes;
  append_number(block.text_bytes, bytes);
  append_number(block.articles.size(), bytes);
  append_number(block.list.size(), bytes);
  append_number(block.frame.bytes, bytes);
  append_number(block.frame.checksum, bytes);
  return bytes + block.list;
}

bool IndexReader::next() {
  if (rest_.empty()) return false;
  text_bytes_ = take_number(rest_);
  articles_ = take_number(rest_);
  const std::size_t size = take_number(rest_);
  frame_.bytes = take_number(rest_);
  frame_.checksum = take_number(rest_);
  if (size > rest_.size()) throw_damaged();
  list_ = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return true;
}

std::vector<ArticleSize> sizes_of_list(std::string_view list, std::size_t articles, std::size_t text_bytes) {
  std::vector<ArticleSize> sizes;
  while (!list.empty()) {
    const std::size_t count = take_count(list);
    ArticleSize size{static_cast<std::uint32_t>(count), 1};
    for (std::size_t i = 0; i < count; ++i) {
      text_bytes -= take_at_most(text_bytes, list);
      const std::size_t sentence_bytes = take_at_most(text_bytes, list);
      text_bytes -= sentence_bytes;
      size.bytes += sentence_bytes + 1;
    }
    sizes.push_back(size);
  }
  if (sizes.size() != articles) throw_damaged();
  return sizes;
}

bool ListedArticles::next(std::vector<std::string_view>& sentences) {
  sentences.clear();
  if (list_.empty()) return false;
  const std::size_t count = take_count(list_);
  sentences.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    position_ += take_at_most(text_.size() - position_, list_);
    const std::size_t size = take_at_most(text_.size() - position_, list_);
    sentences.push_back(text_.substr(position_, size));
    position_ += size;
  }
  return true;
}

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
