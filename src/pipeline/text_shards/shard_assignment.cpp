#include "pipeline/text_shards/shard_assignment.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "base/fields.h"
#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "pipeline/text_shards/article_pool.h"

namespace bertprep {
namespace {

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
