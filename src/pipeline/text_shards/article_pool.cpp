#include "pipeline/text_shards/article_pool.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

namespace bertprep {
namespace {

constexpr int kIdBits = 32;

std::vector<std::uint64_t> sorted_articles(std::span<const std::uint32_t> sentences_per_article) {
  std::vector<std::uint64_t> articles;
  articles.reserve(sentences_per_article.size());
  for (const std::uint64_t sentences : sentences_per_article) {
    articles.push_back(sentences << kIdBits | articles.size());
  }
  std::sort(articles.begin(), articles.end());
  return articles;
}

std::uint32_t sentences_of(std::uint64_t article) {
  return static_cast<std::uint32_t>(article >> kIdBits);
}

std::uint32_t id_of(std::uint64_t article) {
  return static_cast<std::uint32_t>(article);
}

}  // namespace

ArticlePool::ArticlePool(std::span<const std::uint32_t> sentences_per_article)
    : articles_(sorted_articles(sentences_per_article)), lengths_{0}, begin_{0}, left_(articles_.size()) {
  assert(articles_.size() <= std::numeric_limits<std::uint32_t>::max());
  for (std::size_t k = 0; k < articles_.size(); ++k) {
    if (sentences_of(articles_[k]) == lengths_.back()) continue;
    lengths_.push_back(sentences_of(articles_[k]));
    begin_.push_back(k);
  }
  end_.assign(begin_.begin() + 1, begin_.end());
  end_.push_back(articles_.size());
  below_.resize(lengths_.size());
  std::iota(below_.begin(), below_.end(), std::size_t{0});
}

std::optional<PlacedArticle> ArticlePool::take_at_most(std::int64_t sentences) {
  std::size_t length = lengths_.size() - 1;
  if (sentences < lengths_.back()) {
    const auto longer = std::upper_bound(lengths_.begin(), lengths_.end(), std::max<std::int64_t>(sentences, 0));
    length = static_cast<std::size_t>(longer - lengths_.begin()) - 1;
  }
  length = filled_at_or_below(length);
  if (length == 0) return std::nullopt;

  const std::uint64_t article = articles_[--end_[length]];
  if (end_[length] == begin_[length]) below_[length] = length - 1;
  --left_;
  return PlacedArticle{id_of(article), sentences_of(article)};
}

std::uint32_t ArticlePool::shortest() {
  assert(!empty());
  while (begin_[shortest_] == end_[shortest_]) ++shortest_;
  return lengths_[shortest_];
}

// An exhausted length stays so, so the search path is compressed (union-find with path halving).
std::size_t ArticlePool::filled_at_or_below(std::size_t length) {
  while (below_[length] != length) {
    below_[length] = below_[below_[length]];
    length = below_[length];
  }
  return length;
}

}  // namespace bertprep
