#include "instance/token_rows.h"

#include <gtest/gtest.h>

#include <numeric>

namespace bertprep {
namespace {

using Ids = std::vector<TokenId>;

Ids article(std::size_t size) {
  Ids ids(size);
  std::iota(ids.begin(), ids.end(), 100);
  return ids;
}

std::vector<Ids> rows_of(const Ids& ids, TokenRowRule rule, std::uint64_t dropped) {
  rule.cls = 1;
  rule.sep = 2;
  std::vector<Ids> rows;
  TokenRows maker(rule);
  EXPECT_EQ(maker.add(ids, [&](std::span<const TokenId> row) { rows.emplace_back(row.begin(), row.end()); }), dropped);
  return rows;
}

TEST(TokenRows, AnArticleThatFitsIsOneRow) {
  EXPECT_EQ(rows_of(article(3), {.max_tokens = 5}, 0), (std::vector<Ids>{{1, 100, 101, 102, 2}}));
  EXPECT_EQ(rows_of(article(1), {.max_tokens = 5, .min_tokens = 3}, 0), (std::vector<Ids>{{1, 100, 2}}));
}

TEST(TokenRows, ALongerOneIsSeveralOrCut) {
  EXPECT_EQ(rows_of(article(4), {.max_tokens = 5}, 0), (std::vector<Ids>{{1, 100, 101, 102, 2}, {1, 103, 2}}));
  EXPECT_EQ(rows_of(article(8), {.max_tokens = 5, .truncates = true}, 5), (std::vector<Ids>{{1, 100, 101, 102, 2}}));
  EXPECT_EQ(rows_of(article(8), {.max_tokens = 5, .min_tokens = 3}, 2).size(), 2U);
  EXPECT_EQ(rows_of(article(8), {.max_tokens = 5, .min_tokens = 2}, 0).size(), 3U);
}

// Cuts the joined ids as a person would.
std::vector<Ids> plain_blocks(const std::vector<Ids>& articles, const BlockRule& rule) {
  std::vector<Ids> blocks;
  const std::size_t group = rule.group_articles == 0 ? articles.size() : rule.group_articles;
  for (std::size_t first = 0; first < articles.size(); first += group) {
    Ids joined;
    for (std::size_t i = first; i < std::min(first + group, articles.size()); ++i) {
      joined.insert(joined.end(), articles[i].begin(), articles[i].end());
      if (rule.end_of_article) joined.push_back(*rule.end_of_article);
    }
    for (std::size_t begin = 0; begin + rule.tokens <= joined.size(); begin += rule.tokens) {
      blocks.emplace_back(joined.begin() + static_cast<std::ptrdiff_t>(begin),
                          joined.begin() + static_cast<std::ptrdiff_t>(begin + rule.tokens));
    }
  }
  return blocks;
}

TEST(TokenBlocks, CutTheJoinedArticles) {
  std::vector<Ids> articles;
  for (const std::size_t size : {1, 7, 30, 2, 2, 2, 64, 5, 0, 11}) articles.push_back(article(size));
  for (const std::size_t tokens : {1, 4, 16, 1000}) {
    for (const std::size_t group : {0, 1, 3, 10}) {
      for (const std::optional<TokenId> end : {std::optional<TokenId>(), std::optional<TokenId>(7)}) {
        const BlockRule rule{tokens, end, group};
        TokenBlocks maker(rule);
        std::vector<Ids> blocks;
        std::uint64_t dropped = 0, all = 0;
        for (const Ids& ids : articles) {
          all += ids.size() + (end ? 1 : 0);
          dropped +=
              maker.add(ids, [&](std::span<const TokenId> block) { blocks.emplace_back(block.begin(), block.end()); });
        }
        dropped += maker.finish();
        EXPECT_EQ(blocks, plain_blocks(articles, rule)) << tokens << " " << group;
        EXPECT_EQ(blocks.size() * tokens + dropped, all);
      }
    }
  }
}

}  // namespace
}  // namespace bertprep
