// Rows of ids without masks or pairs: the articles of a text for trainers that mask, or predict, themselves.
#pragma once

#include <algorithm>
#include <iterator>
#include <utility>

#include "bertprep/token/vocab.h"

namespace bertprep {

// [CLS] ids [SEP], one article or a piece of one.
struct TokenRowRule {
  TokenId cls = 0;
  TokenId sep = 0;
  std::size_t max_tokens = 1024;   // of a row, at least 3
  bool truncates = false;          // one row for the start of each article; else as many as needed
  bool ends_at_sentences = false;  // a row ends after the last sentence that fits, if one does
  // The last piece of an article that has others is dropped if it has fewer ids than this.
  std::size_t min_tokens = 1;
};

class TokenRows {
 public:
  explicit TokenRows(const TokenRowRule& rule) : rule_(rule) {}

  // Calls row(ids) for every row of `article`. `sentences` are the offsets of its sentences and of its end, relative to
  // any origin. Returns the number of ids that are in no row.
  template <class Row>
  std::uint64_t add(std::span<const TokenId> article, std::span<const std::uint64_t> sentences, Row row) {
    for (std::size_t begin = 0; begin < article.size();) {
      const std::size_t end = end_of_row(begin, article.size(), sentences);
      const bool is_last = end == article.size();
      if (begin > 0 && (rule_.truncates || (is_last && end - begin < rule_.min_tokens))) return article.size() - begin;
      row_.assign(1, rule_.cls);
      row_.insert(row_.end(), article.begin() + static_cast<std::ptrdiff_t>(begin),
                  article.begin() + static_cast<std::ptrdiff_t>(end));
      row_.push_back(rule_.sep);
      row(std::span<const TokenId>(row_));
      begin = end;
    }
    return 0;
  }

 private:
  std::size_t end_of_row(std::size_t begin, std::size_t size, std::span<const std::uint64_t> sentences) const {
    const std::size_t most = rule_.max_tokens - 2;
    if (size - begin <= most) return size;
    if (!rule_.ends_at_sentences) return begin + most;
    const std::uint64_t origin = sentences.front();
    const auto behind = std::upper_bound(sentences.begin(), sentences.end(), origin + begin + most);
    const std::size_t end = *std::prev(behind) - origin;
    return end > begin ? end : begin + most;
  }

  TokenRowRule rule_;
  std::vector<TokenId> row_;
};

// Blocks of one length, cut from the concatenated articles.
struct BlockRule {
  std::size_t tokens = 1024;
  std::optional<TokenId> end_of_article;  // after each article
  std::size_t group_articles = 0;         // how many articles make a separate stream; 0: all
  std::size_t stride = 0;                 // from block to block, at most `tokens`; 0: `tokens`
  bool keeps_rest = false;                // the last block may be shorter
};

// The choice of blocks follows Mistral's `group`: for T ids, N per block and a stride of S, T' = T if S divides it or
// the rest is kept, else the largest multiple of S up to T - N + S; a block begins at every multiple of S below T' - N
// + S.
class TokenBlocks {
 public:
  explicit TokenBlocks(const BlockRule& rule) : rule_(rule) {
    if (rule_.stride == 0) rule_.stride = rule_.tokens;
  }

  // Calls block(ids) for every block that is certain whatever ids follow. Returns the number of ids that are in no
  // block.
  template <class Block>
  std::uint64_t add(std::span<const TokenId> article, Block block) {
    stream_.insert(stream_.end(), article.begin(), article.end());
    if (rule_.end_of_article) stream_.push_back(*rule_.end_of_article);
    std::size_t begin = 0;
    for (; stream_.size() - begin >= 2 * rule_.tokens - rule_.stride; begin += rule_.stride) {
      block(std::span<const TokenId>(stream_).subspan(begin, rule_.tokens));
      covered_ = rule_.tokens - rule_.stride;
    }
    stream_.erase(stream_.begin(), stream_.begin() + static_cast<std::ptrdiff_t>(begin));
    return ++articles_ == rule_.group_articles ? finish(block) : 0;
  }

  // Ends the stream with the remaining blocks. Returns the number of ids after the last one.
  template <class Block>
  std::uint64_t finish(Block block) {
    const std::size_t size = stream_.size();
    // T' + S, so that nothing is below 0. It is relative to the begin of the stream, a multiple of S.
    std::size_t limit = size + rule_.stride;
    if (size % rule_.stride != 0 && !rule_.keeps_rest) {
      const std::size_t room = std::max(size + rule_.stride, rule_.tokens) - rule_.tokens;
      limit = room / rule_.stride * rule_.stride + rule_.stride;
    }
    for (std::size_t begin = 0; begin + rule_.tokens < limit; begin += rule_.stride) {
      const std::size_t end = std::min(begin + rule_.tokens, size);
      block(std::span<const TokenId>(stream_).subspan(begin, end - begin));
      covered_ = end;
    }
    stream_.clear();
    articles_ = 0;
    return size - std::exchange(covered_, 0);
  }

 private:
  BlockRule rule_;
  std::vector<TokenId> stream_;
  std::size_t covered_ = 0;  // how many of the stream's ids are in returned blocks
  std::size_t articles_ = 0;
};

}  // namespace bertprep
