// Rows of ids without masks or pairs: the articles of a text for trainers that mask, or predict, by themselves.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bertprep/token/vocab.h"

namespace bertprep {

// [CLS] ids [SEP], one article or a piece of one.
struct TokenRowRule {
  TokenId cls = 0;
  TokenId sep = 0;
  std::size_t max_tokens = 1024;  // of a row, at least 3
  bool truncates = false;         // a row for the start of each article; else as many as it takes
  // The last piece of an article that has others is left out when it has fewer ids than this.
  std::size_t min_tokens = 1;
};

class TokenRows {
 public:
  explicit TokenRows(const TokenRowRule& rule) : rule_(rule) {}

  // Calls row(ids) for every row of `article`, which has an id at least. Returns the number of ids that are in none.
  template <class Row>
  std::uint64_t add(std::span<const TokenId> article, Row row) {
    const std::size_t most = rule_.max_tokens - 2;
    for (std::size_t begin = 0; begin < article.size(); begin += most) {
      const std::span<const TokenId> piece = article.subspan(begin, std::min(most, article.size() - begin));
      if (begin > 0 && (rule_.truncates || piece.size() < rule_.min_tokens)) return article.size() - begin;
      row_.assign(1, rule_.cls);
      row_.insert(row_.end(), piece.begin(), piece.end());
      row_.push_back(rule_.sep);
      row(std::span<const TokenId>(row_));
    }
    return 0;
  }

 private:
  TokenRowRule rule_;
  std::vector<TokenId> row_;
};

// Blocks of one length, cut out of the articles as one stream.
struct BlockRule {
  std::size_t tokens = 1024;
  std::optional<TokenId> end_of_article;  // behind each
  std::size_t group_articles = 0;         // so many make a stream of their own; 0: all
};

class TokenBlocks {
 public:
  explicit TokenBlocks(const BlockRule& rule) : rule_(rule) {}

  // Calls block(ids) for every block that is full. Returns the number of ids that are in none.
  template <class Block>
  std::uint64_t add(std::span<const TokenId> article, Block block) {
    stream_.insert(stream_.end(), article.begin(), article.end());
    if (rule_.end_of_article) stream_.push_back(*rule_.end_of_article);
    std::size_t begin = 0;
    for (; stream_.size() - begin >= rule_.tokens; begin += rule_.tokens) {
      block(std::span<const TokenId>(stream_).subspan(begin, rule_.tokens));
    }
    stream_.erase(stream_.begin(), stream_.begin() + static_cast<std::ptrdiff_t>(begin));
    return ++articles_ == rule_.group_articles ? finish() : 0;
  }

  // Ends the stream. Returns the number of ids behind its last block.
  std::uint64_t finish() {
    const std::uint64_t rest = stream_.size();
    stream_.clear();
    articles_ = 0;
    return rest;
  }

 private:
  BlockRule rule_;
  std::vector<TokenId> stream_;
  std::size_t articles_ = 0;
};

}  // namespace bertprep
