// The sentence index: the positions of sentences in formatted files.
//
// The assignment of articles needs the number of sentences of every article before the first text shard can be written,
// and a corpus does not fit in memory. So it is read twice: to split sentences, and to write them; with the index, the
// second pass need not split again.
//
// The index is a sequence of blocks, one for each block of text, in the order of the text. A block is
//   text bytes, articles, bytes of the list          three numbers
//   bytes of the frame, its checksum (XXH3)          two numbers; 0 and 0 unless each block is one frame of the file
//   for every article: sentences, then for every sentence: bytes since the end of the previous one, its bytes
// Numbers are unsigned LEB128 (DWARF 5, section 7.6): seven bits per byte, lowest first. A change of this format needs
// another kSentenceIndexVersion (saved_index.h).
#pragma once

#include <filesystem>

#include "bertprep/base/progress.h"
#include "bertprep/text/sentences.h"

namespace bertprep {

// An article's share of a text shard: its sentences, one line each, and an empty line.
struct ArticleSize {
  std::uint32_t sentences = 0;
  std::uint64_t bytes = 0;
};

// The Zstandard frame in which a block of text is stored, if it is known.
struct StoredFrame {
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;
};

// One block of the index, and the sizes of its articles.
struct IndexBlock {
  std::size_t text_bytes = 0;
  StoredFrame frame;
  std::string list;
  std::vector<ArticleSize> articles;
};

class BlockSplitter {
 public:
  // `split_lines`: the text has one line per sentence and an empty line after each article, instead of one line per
  // article. `splitter` is kept by reference.
  BlockSplitter(const SentenceSplitter& splitter, bool split_lines) : splitter_(splitter), split_lines_(split_lines) {}

  // Splits all articles of `text`, which must be valid UTF-8. Thread-safe.
  IndexBlock split(std::string_view text) const;

 private:
  const SentenceSplitter& splitter_;
  bool split_lines_;
};

// The block as stored in a file.
std::string encode(const IndexBlock& block);

// Reads the blocks from a file's bytes: only the list, without the sizes.
class IndexReader {
 public:
  // `bytes` is kept as a view.
  explicit IndexReader(std::string_view bytes) : rest_(bytes) {}

  // False at the end. Throws FormatError for a damaged index.
  bool next();
  std::size_t text_bytes() const { return text_bytes_; }
  std::size_t articles() const { return articles_; }
  const StoredFrame& frame() const { return frame_; }
  std::string_view list() const { return list_; }

 private:
  std::string_view rest_;
  std::size_t text_bytes_ = 0;
  std::size_t articles_ = 0;
  StoredFrame frame_;
  std::string_view list_;
};

// The sizes of the articles in a block's list for `text_bytes` of text. Throws FormatError.
std::vector<ArticleSize> sizes_of_list(std::string_view list, std::size_t articles, std::size_t text_bytes);

// The articles of a block: their sentences as views into its text.
class ListedArticles {
 public:
  ListedArticles(std::string_view list, std::string_view text) : list_(list), text_(text) {}

  // Replaces `sentences` by those of the next article; false after the last one. Throws FormatError.
  bool next(std::vector<std::string_view>& sentences);

 private:
  std::string_view list_;
  std::string_view text_;
  std::size_t position_ = 0;
};

// ArticleSizes: the sizes of all articles, for the assignment. Memory: 12 bytes per article.
struct ArticleSizes {
  std::vector<std::uint32_t> sentences;
  std::vector<std::uint64_t> bytes;  // in a text shard
  std::uint64_t total_sentences = 0;

  void add(std::span<const ArticleSize> articles) {
    for (const ArticleSize& article : articles) {
      sentences.push_back(article.sentences);
      bytes.push_back(article.bytes);
      total_sentences += article.sentences;
    }
  }
};

// What split_texts() finds in formatted files.
struct SplitTexts {
  ArticleSizes sizes;
  std::uint64_t text_bytes = 0;
  std::string text_sha256;               // as by digest_text()
  std::vector<std::string> file_sha256;  // of the text of each file
  std::vector<std::uint64_t> file_articles;
};

struct SplitInput {
  std::span<const std::filesystem::path> files;
  bool split_lines = false;             // text shards, where a line is a sentence
  std::uint64_t max_article_bytes = 0;  // 0: no limit
};

// Reads the files to their end and writes the index at `index_path`. Throws IoError, and FormatError with the position
// of invalid UTF-8 or of an article that is too long.
SplitTexts split_texts(const SplitInput& input, const SentenceSplitter& splitter,
                       const std::filesystem::path& index_path, std::size_t threads, Progress& progress);

// The sizes in a finished index.
ArticleSizes sizes_of_index(const std::filesystem::path& index_path);

}  // namespace bertprep
