// ShardAssignment: the text shard of each article.
//
// The rules are those of the reference's sharding: every shard takes one of the longest articles; then, pass
// by pass, every shard that is not fuller than the median of its split takes the longest article that still
// fits under the nominal number of sentences of its split, and a pass in which nothing fits raises the
// nominal number for training.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bertprep/pipeline/pipeline_options.h"
#include "pipeline/text_shards/sentence_index.h"

namespace bertprep {

// The articles of each shard in the order in which they are written.
struct ShardAssignment {
  std::vector<std::vector<std::uint32_t>> training;
  std::vector<std::vector<std::uint32_t>> test;
};

// What articles weigh when they are shared out: their sentences, as in the reference, which are taken from `sizes`;
// documents as they are have none, and weigh their bytes, in about as many parts.
std::vector<std::uint32_t> weights_of(ArticleSizes& sizes, bool as_is);

// Article k has sentences_per_article[k] sentences, at least one; there are fewer than 2^32 articles. Memory:
// about 16 bytes per article. Throws ConfigError for options out of range, FormatError for fewer articles than shards,
// and Error for an article without sentences.
ShardAssignment place_articles(std::span<const std::uint32_t> sentences_per_article, const ShardingOptions& options);

}  // namespace bertprep
