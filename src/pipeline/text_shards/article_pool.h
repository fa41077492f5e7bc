// ArticlePool: the articles not yet assigned, by their number of sentences.
//
// Articles of equal length are taken from the last to the first. Memory: 8 bytes per article.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace bertprep {

struct PlacedArticle {
  std::uint32_t id;
  std::uint32_t sentences;
};

class ArticlePool {
 public:
  // Article k has sentences_per_article[k] sentences, at least one.
  explicit ArticlePool(std::span<const std::uint32_t> sentences_per_article);

  bool empty() const { return left_ == 0; }
  // Takes a longest article of at most `sentences` sentences.
  std::optional<PlacedArticle> take_at_most(std::int64_t sentences);
  // Sentences of the shortest article; the pool must not be empty.
  std::uint32_t shortest();

 private:
  std::size_t filled_at_or_below(std::size_t length);

  // All articles in ascending order of (sentences, id); those of length k start at begin_[k].
  std::vector<std::uint64_t> articles_;
  std::vector<std::uint32_t> lengths_;  // distinct lengths, ascending; lengths_[0] is 0, without articles
  std::vector<std::size_t> begin_;
  std::vector<std::size_t> end_;
  std::vector<std::size_t> below_;  // its own index while there are articles of this length, else that of a shorter one
  std::size_t shortest_ = 1;
  std::size_t left_ = 0;
};

}  // namespace bertprep
