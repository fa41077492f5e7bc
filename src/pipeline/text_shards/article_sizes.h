// ArticleSizes: what the assignment needs to know of every article. Memory: 12 bytes an article.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pipeline/text_shards/sentence_index.h"

namespace bertprep {

struct ArticleSizes {
  std::vector<std::uint32_t> sentences;
  std::vector<std::uint64_t> bytes;  // in a text shard
  std::uint64_t total_sentences = 0;

  void add(std::span<const ArticleSize> articles) {
    for (const ArticleSize& article : articles) {
      sentences.push_back(article.sentences);
      bytes.push_back(article.bytes);
      total_sentences += article.sentences;
    }
  }
};

}  // namespace bertprep
