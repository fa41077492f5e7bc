// SequenceRows: articles -> rows or blocks, by the rule, with counts.
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
               .ends_at_sentences = rule.options.long_articles == LongArticles::kSentences,
               .min_tokens = static_cast<std::size_t>(rule.options.min_tokens)}),
        blocks_({.tokens = static_cast<std::size_t>(rule.options.blocks),
                 .end_of_article = rule.end_of_article,
                 .group_articles = static_cast<std::size_t>(rule.options.group_articles),
                 .stride = static_cast<std::size_t>(rule.options.stride),
                 .keeps_rest = rule.options.last_block == LastBlock::kKeep}) {}

  // Calls row(ids) for every row or block.
  template <class Row>
  void add(const TokenizedDocuments& articles, Row row) {
    const auto counted = counting(row);
    for (std::size_t i = 0; i < articles.documents(); ++i) {
      const std::size_t first = articles.document_begin[i];
      const std::size_t last = articles.document_begin[i + 1];
      const auto sentences = std::span(articles.sentence_begin).subspan(first, last - first + 1);
      const auto ids = std::span(articles.ids).subspan(sentences.front(), sentences.back() - sentences.front());
      counts_.dropped += is_blocks_ ? blocks_.add(ids, counted) : rows_.add(ids, sentences, counted);
      ++counts_.articles;
    }
  }

  // The same for the rest at the end. Returns the counts over all articles.
  template <class Row>
  SequenceCounts finish(Row row) {
    if (is_blocks_) counts_.dropped += blocks_.finish(counting(row));
    return counts_;
  }

 private:
  template <class Row>
  auto counting(Row& row) {
    return [this, &row](std::span<const TokenId> ids) {
      ++counts_.sequences;
      counts_.tokens += ids.size();
      row(ids);
    };
  }

  bool is_blocks_;
  TokenRows rows_;
  TokenBlocks blocks_;
  SequenceCounts counts_;
};

}  // namespace bertprep
