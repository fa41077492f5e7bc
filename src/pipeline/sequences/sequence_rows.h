// SequenceRows: articles -> rows or blocks, as the rule says, counted.
#pragma once

#include <span>

#include "instance/token_rows.h"
#include "pipeline/sequences/part_writer.h"

namespace bertprep {

class SequenceRows {
 public:
  explicit SequenceRows(const SequenceRule& rule)
      : is_blocks_(rule.options.blocks != 0),
        rows_({.cls = rule.cls,
               .sep = rule.sep,
               .max_tokens = static_cast<std::size_t>(rule.options.max_tokens),
               .truncates = rule.options.long_articles == LongArticles::kTruncate,
               .min_tokens = static_cast<std::size_t>(rule.options.min_tokens)}),
        blocks_({.tokens = static_cast<std::size_t>(rule.options.blocks),
                 .end_of_article = rule.end_of_article,
                 .group_articles = static_cast<std::size_t>(rule.options.group_articles)}) {}

  // Calls row(ids) for every row or full block.
  template <class Row>
  void add(const TokenizedDocuments& articles, Row row) {
    const auto count = [&](std::span<const TokenId> ids) {
      ++counts_.sequences;
      counts_.tokens += ids.size();
      row(ids);
    };
    for (std::size_t i = 0; i < articles.documents(); ++i) {
      const std::uint64_t begin = articles.sentence_begin[articles.document_begin[i]];
      const std::uint64_t end = articles.sentence_begin[articles.document_begin[i + 1]];
      const auto ids = std::span(articles.ids).subspan(begin, end - begin);
      counts_.dropped += is_blocks_ ? blocks_.add(ids, count) : rows_.add(ids, count);
      ++counts_.articles;
    }
  }

  // What came out of all articles.
  SequenceCounts finish() {
    counts_.dropped += blocks_.finish();
    return counts_;
  }

 private:
  bool is_blocks_;
  TokenRows rows_;
  TokenBlocks blocks_;
  SequenceCounts counts_;
};

}  // namespace bertprep
