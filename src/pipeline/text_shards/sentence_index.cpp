#include "pipeline/text_shards/sentence_index.h"

#include <algorithm>

#include "bertprep/base/error.h"
#include "pipeline/text_shards/article_lines.h"
#include "pipeline/text_shards/text_lines.h"
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

}  // namespace

// Sentences also end where the layout of the article says so.
std::span<const std::string_view> BlockSplitter::split_article(std::string_view article,
                                                               std::vector<std::string_view>& sentences) const {
  std::size_t end = article.find(kSentenceEnd);
  if (end == std::string_view::npos) {
    splitter_.split(article, sentences);
    return sentences;
  }
  std::vector<std::string_view> part;
  sentences.clear();
  for (std::size_t begin = 0; begin < article.size(); begin = end + kSentenceEnd.size()) {
    end = std::min(article.find(kSentenceEnd, begin), article.size());
    const std::string_view text = strip(article.substr(begin, end - begin));
    if (text.empty()) continue;
    splitter_.split(text, part);
    sentences.insert(sentences.end(), part.begin(), part.end());
  }
  return sentences;
}

// Lines end at LF only, and CR is data.
void BlockSplitter::split_articles(std::string_view text, IndexBlock& block) const {
  Lister lister(text, block);
  std::vector<std::string_view> sentences;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view article = strip_end(rest.substr(0, end));
    if (!article.empty()) lister.add(split_article(article, sentences));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

void BlockSplitter::split_sentence_lines(std::string_view text, IndexBlock& block) const {
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

IndexBlock BlockSplitter::split(std::string_view text) const {
  IndexBlock block;
  block.text_bytes = text.size();
  block.list.reserve(text.size() / 32);
  if (split_lines_) {
    split_sentence_lines(text, block);
  } else {
    split_articles(text, block);
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

}  // namespace bertprep
