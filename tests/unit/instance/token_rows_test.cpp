#include "instance/token_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace bertprep {
namespace {

using Ids = std::vector<TokenId>;

Ids article(std::size_t size) {
  Ids ids(size);
  std::iota(ids.begin(), ids.end(), 100);
  return ids;
}

std::vector<Ids> token_rows_of(const Ids& ids, TokenRowRule rule, std::uint64_t dropped) {
  rule.cls = 1;
  rule.sep = 2;
  std::vector<Ids> rows;
  TokenRows maker(rule);
  EXPECT_EQ(maker.add(ids, {}, [&](std::span<const TokenId> row) { rows.emplace_back(row.begin(), row.end()); }),
            dropped);
  return rows;
}

TEST(TokenRows, AnArticleThatFitsIsOneRow) {
  EXPECT_EQ(token_rows_of(article(3), {.max_tokens = 5}, 0), (std::vector<Ids>{{1, 100, 101, 102, 2}}));
  EXPECT_EQ(token_rows_of(article(1), {.max_tokens = 5, .min_tokens = 3}, 0), (std::vector<Ids>{{1, 100, 2}}));
}

TEST(TokenRows, ALongerOneIsSplitOrTruncated) {
  EXPECT_EQ(token_rows_of(article(4), {.max_tokens = 5}, 0), (std::vector<Ids>{{1, 100, 101, 102, 2}, {1, 103, 2}}));
  EXPECT_EQ(token_rows_of(article(8), {.max_tokens = 5, .truncates = true}, 5),
            (std::vector<Ids>{{1, 100, 101, 102, 2}}));
  EXPECT_EQ(token_rows_of(article(8), {.max_tokens = 5, .min_tokens = 3}, 2).size(), 2U);
  EXPECT_EQ(token_rows_of(article(8), {.max_tokens = 5, .min_tokens = 2}, 0).size(), 3U);
}

// Rows of whole sentences, found by trying every end in order.
std::vector<Ids> plain_rows(const Ids& ids, const std::vector<std::size_t>& ends, const TokenRowRule& rule) {
  std::vector<Ids> rows;
  for (std::size_t begin = 0; begin < ids.size();) {
    std::size_t end = std::min(begin + rule.max_tokens - 2, ids.size());
    if (end != ids.size()) {
      for (const std::size_t sentence : ends) {
        if (sentence > begin && sentence <= begin + rule.max_tokens - 2) end = sentence;
      }
    }
    if (begin > 0 && end == ids.size() && end - begin < rule.min_tokens) break;
    Ids row{rule.cls};
    for (std::size_t i = begin; i < end; ++i) row.push_back(ids[i]);
    row.push_back(rule.sep);
    rows.push_back(row);
    begin = end;
  }
  return rows;
}

TEST(TokenRows, EndWhereASentenceEnds) {
  // Sentences of 2, 2, 9, 1, 3 ids, which are counted from 40 on.
  const std::vector<std::uint64_t> sentences{40, 42, 44, 53, 54, 57};
  TokenRows maker({.cls = 1, .sep = 2, .max_tokens = 7, .ends_at_sentences = true});
  std::vector<std::size_t> sizes;
  EXPECT_EQ(maker.add(article(17), sentences, [&](std::span<const TokenId> row) { sizes.push_back(row.size() - 2); }),
            0U);
  // The third is longer than a row: it is split, and the row of its rest has room for the fourth.
  EXPECT_EQ(sizes, (std::vector<std::size_t>{4, 5, 5, 3}));
}

TEST(TokenRows, EndAtSentencesAsAPersonWouldEndThem) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    const std::uint64_t origin = random() % 50;
    std::vector<std::uint64_t> sentences{origin};
    std::vector<std::size_t> ends;
    for (std::size_t left = random() % 12; left > 0; --left) {
      sentences.push_back(sentences.back() + 1 + random() % 9);
      ends.push_back(sentences.back() - origin);
    }
    const Ids ids = article(sentences.back() - origin);
    const TokenRowRule rule{
        .cls = 1, .sep = 2, .max_tokens = 3 + random() % 12, .ends_at_sentences = true, .min_tokens = 1 + random() % 3};
    std::vector<Ids> rows;
    std::uint64_t kept = 0;
    TokenRows maker(rule);
    const std::uint64_t dropped = maker.add(ids, sentences, [&](std::span<const TokenId> row) {
      rows.emplace_back(row.begin(), row.end());
      kept += row.size() - 2;
    });
    ASSERT_EQ(rows, plain_rows(ids, ends, rule)) << round;
    EXPECT_EQ(kept + dropped, ids.size());
  }
}

// Cuts the joined ids in the obvious way.
std::vector<Ids> plain_blocks(const std::vector<Ids>& articles, const BlockRule& rule) {
  std::vector<Ids> blocks;
  const std::size_t group = rule.group_articles == 0 ? articles.size() : rule.group_articles;
  for (std::size_t first = 0; first < articles.size(); first += group) {
    Ids joined;
    for (std::size_t i = first; i < std::min(first + group, articles.size()); ++i) {
      joined.insert(joined.end(), articles[i].begin(), articles[i].end());
      if (rule.end_of_article) joined.push_back(*rule.end_of_article);
    }
    const auto length = static_cast<std::ptrdiff_t>(rule.tokens);
    const auto stride = rule.stride == 0 ? length : static_cast<std::ptrdiff_t>(rule.stride);
    const auto size = static_cast<std::ptrdiff_t>(joined.size());
    std::ptrdiff_t total = size;
    if (size % stride != 0 && !rule.keeps_rest)
      total = std::max<std::ptrdiff_t>(0, size - length + stride) / stride * stride;
    for (std::ptrdiff_t begin = 0; begin < total - length + stride; begin += stride) {
      blocks.emplace_back(joined.begin() + begin, joined.begin() + std::min(begin + length, size));
    }
  }
  return blocks;
}

std::vector<Ids> blocks_of(const std::vector<Ids>& articles, const BlockRule& rule, std::uint64_t& dropped) {
  TokenBlocks maker(rule);
  std::vector<Ids> blocks;
  const auto take = [&](std::span<const TokenId> block) { blocks.emplace_back(block.begin(), block.end()); };
  for (const Ids& ids : articles) dropped += maker.add(ids, take);
  dropped += maker.finish(take);
  return blocks;
}

TEST(TokenBlocks, CutTheJoinedArticles) {
  std::vector<Ids> articles;
  for (const std::size_t size : {1, 7, 30, 2, 2, 2, 64, 5, 0, 11}) articles.push_back(article(size));
  for (const std::size_t tokens : {1, 4, 16, 1000}) {
    for (const std::size_t group : {0, 1, 3, 10}) {
      for (const std::optional<TokenId> end : {std::optional<TokenId>(), std::optional<TokenId>(7)}) {
        const BlockRule rule{tokens, end, group};
        std::uint64_t dropped = 0;
        const std::vector<Ids> blocks = blocks_of(articles, rule, dropped);
        EXPECT_EQ(blocks, plain_blocks(articles, rule)) << tokens << " " << group;
        std::uint64_t all = 0;
        for (const Ids& ids : articles) all += ids.size() + (end ? 1 : 0);
        EXPECT_EQ(blocks.size() * tokens + dropped, all);
      }
    }
  }
}

TEST(TokenBlocks, OverlapAndKeepTheRestAsSplitByHand) {
  std::mt19937 random(11);
  for (int round = 0; round < 2000; ++round) {
    std::vector<Ids> articles;
    for (std::size_t left = random() % 6; left > 0; --left) articles.push_back(article(random() % 20));
    const std::size_t tokens = 1 + random() % 8;
    const BlockRule rule{.tokens = tokens,
                         .end_of_article = {},
                         .group_articles = random() % 4,
                         .stride = random() % (tokens + 1),
                         .keeps_rest = random() % 2 == 0};
    std::uint64_t dropped = 0;
    ASSERT_EQ(blocks_of(articles, rule, dropped), plain_blocks(articles, rule))
        << tokens << " " << rule.stride << " " << rule.group_articles << " " << rule.keeps_rest;
  }
}

}  // namespace
}  // namespace bertprep
