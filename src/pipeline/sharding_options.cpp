#include "bertprep/pipeline/pipeline_options.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "base/fields.h"
#include "base/number_text.h"
#include "pipeline/stages/automatic_shards.h"

namespace bertprep {
namespace {

constexpr std::int64_t kReferenceShards = 256;
constexpr std::int64_t kArticlesOfAShard = 8;

}  // namespace

const OptionGroup ShardingOptions::kGroup = OptionGroup::kOutput;

std::span<const Field<ShardingOptions>> ShardingOptions::fields() {
  using Options = ShardingOptions;
  constexpr double kMaxShards = 1'000'000;
  static const std::array<Field<Options>, 3> kFields{{
      {.name = "train-shards",
       .member = &Options::train_shards,
       .unit = "shards",
       .help = "number of text shards for training; 0: for 4,096 articles or more 256, as in the reference, else one "
               "for every 8 articles minus those for testing, but at least 1",
       .min = 0,
       .max = kMaxShards},
      {.name = "test-shards",
       .member = &Options::test_shards,
       .unit = "shards",
       .help = "number of text shards for testing; 0: for 4,096 articles or more 256, as in the reference, else "
               "--test-fraction of one for every 8 articles, but at least 1",
       .min = 0,
       .max = kMaxShards},
      {.name = "test-fraction",
       .member = &Options::test_fraction,
       .unit = "share",
       .help = "target share of the sentences for the test shards",
       .min = 0,
       .max = 1},
  }};
  return kFields;
}

ShardingOptions resolve_sharding(ShardingOptions options, std::uint64_t articles) {
  std::int64_t train = kReferenceShards;
  std::int64_t test = kReferenceShards;
  if (articles < static_cast<std::uint64_t>(2 * kReferenceShards * kArticlesOfAShard)) {
    const std::int64_t shards = static_cast<std::int64_t>(articles) / kArticlesOfAShard;
    test = std::llround(static_cast<double>(shards) * options.test_fraction);
    test = std::clamp<std::int64_t>(test, 1, kReferenceShards);
    train = std::clamp<std::int64_t>(shards - test, 1, kReferenceShards);
  }
  if (options.train_shards == 0) options.train_shards = train;
  if (options.test_shards == 0) options.test_shards = test;
  return options;
}

PipelineOptions with_shards(PipelineOptions options, std::uint64_t articles) {
  options.sharding = resolve_sharding(options.sharding, articles);
  return options;
}

std::string note_on_shards(const ShardingOptions& given, std::uint64_t articles) {
  const ShardingOptions known = resolve_sharding(given, articles);
  std::string made;
  if (given.train_shards == 0 && known.train_shards != kReferenceShards) {
    made = counted(known.train_shards, "training shard");
  }
  if (given.test_shards == 0 && known.test_shards != kReferenceShards) {
    made += (made.empty() ? "" : " and ") + counted(known.test_shards, "test shard");
  }
  if (made.empty()) return made;
  return counted(articles, "article", "makes", "make") + " " + made +
         ", one for every 8; `train_shards` and `test_shards` set other numbers";
}

std::string note_on_sentences(std::span<const std::uint32_t> sentences, std::uint64_t bytes) {
  constexpr std::uint64_t kMaxBytesOfSentence = 1000;
  constexpr std::uint64_t kMinArticles = 5;
  std::uint64_t all = 0, alone = 0;
  for (const std::uint32_t count : sentences) {
    all += count;
    alone += count <= 1 ? 1 : 0;
  }
  const bool is_odd =
      sentences.size() >= kMinArticles && alone * 2 > sentences.size() && all > 0 && bytes / all > kMaxBytesOfSentence;
  if (!is_odd) return {};
  return "hardly any end of a sentence was found: " + counted(all, "sentence") + " in " +
         counted(sentences.size(), "article") + ", " + grouped(bytes / all) +
         " bytes each; if other signs than . ? ! end them, such as 。 or ।, use `sentences` icu `language` TAG (zh, "
         "ja, hi)";
}

}  // namespace bertprep
