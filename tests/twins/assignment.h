// The reference's distribution of articles, restated pass by pass without any shortcut: a slow twin of
// place_articles.
#pragma once

#include <cstdint>
#include <vector>

#include "pipeline/text_shards/shard_assignment.h"

namespace bertprep::test {

ShardAssignment plain_assignment(const std::vector<std::uint32_t>& sentences_per_article,
                                 const ShardingOptions& options);

}  // namespace bertprep::test
