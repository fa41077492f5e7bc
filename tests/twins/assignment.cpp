#include "twins/assignment.h"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <stdexcept>

namespace bertprep::test {
namespace {

using Shards = std::vector<std::vector<std::uint32_t>>;

struct PlainSplit {
  Shards shards;
  std::int64_t nominal = 0;
  std::vector<std::int64_t> counts;
  double median = 0;
};

class Distribution {
 public:
  Distribution(const std::vector<std::uint32_t>& sentences, const ShardingOptions& options) : sentences_(sentences) {
    for (std::uint32_t id = 0; id < sentences.size(); ++id) buckets_[sentences[id]].push_back(id);
    longest_ = *std::max_element(sentences.begin(), sentences.end());
    left_ = sentences.size();
    const auto total = std::accumulate(sentences.begin(), sentences.end(), std::int64_t{0});
    const auto for_training = static_cast<std::int64_t>((1 - options.test_fraction) * static_cast<double>(total));
    splits_[0].shards.resize(static_cast<std::size_t>(options.train_shards));
    splits_[0].nominal = for_training / options.train_shards;
    splits_[1].shards.resize(static_cast<std::size_t>(options.test_shards));
    splits_[1].nominal = (total - for_training) / options.test_shards;
  }

  ShardAssignment make() {
    for (PlainSplit& split : splits_) first_articles(split);
    for (PlainSplit& split : splits_) count(split);
    std::deque<std::size_t> history;
    while (left_ > 0) {
      for (PlainSplit& split : splits_) pass(split);
      if (history.size() == 4) history.pop_front();
      history.push_back(left_);
      const auto equal = [&](std::size_t left) { return left == history.front(); };
      if (std::all_of(history.begin(), history.end(), equal)) splits_[0].nominal += 1;
      for (PlainSplit& split : splits_) count(split);
    }
    return {splits_[0].shards, splits_[1].shards};
  }

 private:
  void first_articles(PlainSplit& split) {
    for (auto& shard : split.shards) {
      const std::uint32_t article = pop(longest_);
      shard.push_back(article);
      lower(longest_);
      split.nominal = std::max<std::int64_t>(split.nominal, sentences_[article]);
    }
  }

  void pass(PlainSplit& split) {
    for (std::size_t k = 0; k < split.shards.size(); ++k) {
      std::int64_t wanted = std::min(split.nominal - split.counts[k], longest_);
      lower(longest_);
      lower(wanted);
      if (wanted == 0 || static_cast<double>(split.counts[k]) > split.median) continue;
      split.shards[k].push_back(pop(wanted));
    }
  }

  void lower(std::int64_t& length) {
    while (length > 0 && buckets_[length].empty()) --length;
  }

  std::uint32_t pop(std::int64_t length) {
    auto& bucket = buckets_[length];
    if (bucket.empty()) throw std::out_of_range("no article of this length");
    const std::uint32_t article = bucket.back();
    bucket.pop_back();
    --left_;
    return article;
  }

  void count(PlainSplit& split) const {
    split.counts.clear();
    for (const auto& shard : split.shards) {
      std::int64_t sum = 0;
      for (const std::uint32_t article : shard) sum += sentences_[article];
      split.counts.push_back(sum);
    }
    std::vector<std::int64_t> sorted = split.counts;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t middle = sorted.size() / 2;
    const std::int64_t below = sorted.size() % 2 == 1 ? sorted[middle] : sorted[middle - 1];
    split.median = static_cast<double>(below + sorted[middle]) / 2;
  }

  const std::vector<std::uint32_t>& sentences_;
  std::map<std::int64_t, std::vector<std::uint32_t>> buckets_;
  std::int64_t longest_ = 0;
  std::size_t left_ = 0;
  PlainSplit splits_[2];
};

}  // namespace

ShardAssignment plain_assignment(const std::vector<std::uint32_t>& sentences_per_article,
                                 const ShardingOptions& options) {
  return Distribution(sentences_per_article, options).make();
}

}  // namespace bertprep::test
