#include "pipeline/text_shards/shard_assignment.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/fields.h"
#include "base/number_text.h"
#include "bertprep/base/error.h"

namespace bertprep {
namespace {

struct PlacedArticle {
  std::uint32_t id;
  std::uint32_t sentences;
};

// ArticlePool: the articles not yet assigned, by their number of sentences.
//
// Articles of equal length are taken from the last to the first. Memory: 8 bytes per article.
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

// Numbers of shards that `articles` can fill, in the requested proportion.
std::string shards_that_fit(std::uint64_t articles, const ShardingOptions& options) {
  if (articles < 2) return "at least two articles are needed, one for training and one for testing";
  const auto train = static_cast<std::uint64_t>(options.train_shards);
  const auto test = static_cast<std::uint64_t>(options.test_shards);
  const std::uint64_t fitting_train = std::clamp<std::uint64_t>(articles * train / (train + test), 1, articles - 1);
  const std::uint64_t fitting_test =
      std::clamp<std::uint64_t>(articles * test / (train + test), 1, articles - fitting_train);
  return "use `train_shards` " + std::to_string(fitting_train) + " `test_shards` " + std::to_string(fitting_test) +
         " or fewer";
}

void check_input(std::span<const std::uint32_t> sentences_per_article, const ShardingOptions& options) {
  validate(options);
  if (!options.is_resolved()) {
    throw ConfigError("the numbers of shards are not set", {}, "give both, or let the stage count the articles");
  }
  const std::uint64_t articles = sentences_per_article.size();
  const auto shards = static_cast<std::uint64_t>(options.train_shards + options.test_shards);
  if (articles == 0) throw FormatError("there are no articles to shard", {}, "check the input files");
  if (articles < shards) {
    throw FormatError(counted(articles, "article") + " cannot fill " +
                          counted(static_cast<std::uint64_t>(options.train_shards), "training shard") + " and " +
                          counted(static_cast<std::uint64_t>(options.test_shards), "test shard") +
                          " with one article each",
                      {}, shards_that_fit(articles, options));
  }
  const auto empty = std::find(sentences_per_article.begin(), sentences_per_article.end(), 0U);
  if (empty != sentences_per_article.end()) {
    throw Error("article " + std::to_string(empty - sentences_per_article.begin()) + " has no sentences");
  }
}

// The shards of one kind. No shard ever has more sentences than the nominal number: the first articles raise it to
// their length, later ones are chosen to fit. So the room in a shard is never negative.
class Split {
 public:
  Split(std::int64_t shards, std::int64_t sentences)
      : articles_(static_cast<std::size_t>(shards)), sentences_(articles_.size()), nominal_(sentences / shards) {}

  void take_first(ArticlePool& pool) {
    for (std::size_t shard = 0; shard < articles_.size(); ++shard) {
      put(shard, *pool.take_at_most(std::numeric_limits<std::int64_t>::max()));
      nominal_ = std::max(nominal_, sentences_[shard]);
    }
  }

  // Gives one article to every shard that is not fuller than the median before the pass. Returns whether any was taken.
  bool take_fitting(ArticlePool& pool) {
    const std::int64_t limit = doubled_median();
    bool any = false;
    for (std::size_t shard = 0; shard < articles_.size(); ++shard) {
      if (2 * sentences_[shard] > limit) continue;
      const auto article = pool.take_at_most(nominal_ - sentences_[shard]);
      if (!article) continue;
      put(shard, *article);
      any = true;
    }
    return any;
  }

  void raise_nominal() { ++nominal_; }
  void make_room_for(std::uint32_t sentences) {
    nominal_ = *std::min_element(sentences_.begin(), sentences_.end()) + sentences;
  }

  std::vector<std::vector<std::uint32_t>> articles() && { return std::move(articles_); }

 private:
  void put(std::size_t shard, const PlacedArticle& article) {
    articles_[shard].push_back(article.id);
    sentences_[shard] += article.sentences;
  }

  // The median of an even number of shards is between two of them; doubled, it is an integer.
  std::int64_t doubled_median() {
    sorted_ = sentences_;
    const auto middle = sorted_.begin() + static_cast<std::ptrdiff_t>(sorted_.size() / 2);
    std::nth_element(sorted_.begin(), middle, sorted_.end());
    if (sorted_.size() % 2 == 1) return 2 * *middle;
    return *middle + *std::max_element(sorted_.begin(), middle);
  }

  std::vector<std::vector<std::uint32_t>> articles_;
  std::vector<std::int64_t> sentences_;
  std::vector<std::int64_t> sorted_;
  std::int64_t nominal_;
};

// The reference raises the nominal number by one whenever the number of remaining articles has not changed for four
// passes (fewer at the start). This is always so after the first pass, and otherwise only if nothing was taken. Then
// nothing can be taken until the emptiest training shard, which is never above the median, has room for the shortest
// article, so the passes in between are skipped.
void distribute(ArticlePool& pool, Split& training, Split& test) {
  for (bool first_pass = true; !pool.empty(); first_pass = false) {
    const bool by_training = training.take_fitting(pool);
    const bool by_test = test.take_fitting(pool);
    if (pool.empty()) return;
    if (!by_training && !by_test) {
      training.make_room_for(pool.shortest());
    } else if (first_pass) {
      training.raise_nominal();
    }
  }
}

}  // namespace

std::vector<std::uint32_t> weights_of(ArticleSizes& sizes, bool as_is) {
  if (!as_is) return std::move(sizes.sentences);
  constexpr std::uint64_t kBytesOfASentence = 128;
  std::vector<std::uint32_t> weights;
  weights.reserve(sizes.bytes.size());
  for (const std::uint64_t bytes : sizes.bytes) {
    weights.push_back(static_cast<std::uint32_t>(1 + bytes / kBytesOfASentence));
  }
  return weights;
}

ShardAssignment place_articles(std::span<const std::uint32_t> sentences_per_article, const ShardingOptions& options) {
  check_input(sentences_per_article, options);
  const std::int64_t sentences =
      std::accumulate(sentences_per_article.begin(), sentences_per_article.end(), std::int64_t{0});
  const auto for_training = static_cast<std::int64_t>((1.0 - options.test_fraction) * static_cast<double>(sentences));
  Split training(options.train_shards, for_training);
  Split test(options.test_shards, sentences - for_training);

  ArticlePool pool(sentences_per_article);
  training.take_first(pool);
  test.take_first(pool);
  distribute(pool, training, test);
  return {std::move(training).articles(), std::move(test).articles()};
}

}  // namespace bertprep
