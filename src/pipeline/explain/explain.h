// ShardExplainer: where the rows of a shard come from.
//
// Nothing about it lies in the shard. Its text shard is tokenized and its rows are drawn once more, with the options of
// the manifest; what comes out is compared with the row that is stored.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/shard/schema.h"
#include "bertprep/token/vocab.h"
#include "pipeline/explain/article_origins.h"
#include "pipeline/explain/text_of_shard.h"

namespace bertprep {

struct ExplainedSentence {
  std::string text;
  std::uint64_t line = 0;  // in the text shard, from 1
  std::size_t tokens = 0;
  // Those of them that are in the row: [first_token, last_token).
  std::size_t first_token = 0;
  std::size_t last_token = 0;
};

// A or B, which comes from one article.
struct ExplainedSegment {
  ArticleOrigin article;
  std::uint64_t first_line = 0;  // of the article in the text shard
  std::uint64_t last_line = 0;
  std::vector<ExplainedSentence> sentences;
  std::size_t cut_tokens = 0;  // dropped at the ends to fit the length of a row
};

// How B was found. kSameArticle: of ten articles drawn, each was that of A, so that a place in it was drawn, and B
// counts as following.
enum class NextSentence { kFollowing, kOtherArticle, kSameArticle };

enum class MaskedAs { kMask, kSame, kRandom };

struct ExplainedMask {
  std::size_t position = 0;
  std::int32_t original = 0;
  std::int32_t shown = 0;
  MaskedAs as = MaskedAs::kMask;
};

struct ExplainedRow {
  std::size_t row = 0;
  Batch stored;  // one row
  ShardShape shape;
  NextSentence next = NextSentence::kFollowing;
  std::uint64_t pass = 0;  // over the articles, from 1
  std::uint64_t passes = 0;
  std::uint64_t aimed_tokens = 0;  // with [CLS] and both [SEP]
  std::array<ExplainedSegment, 2> segments;
  std::vector<ExplainedMask> masks;
};

// Throws FormatError, with what to do, for a shard whose rows can't be made again: without a manifest, dealt out by
// reshard, made by a custom tokenizer.
void require_explainable(const std::filesystem::path& shard);

class ShardExplainer {
 public:
  // `vocab` outlives the object. Throws as require_explainable() does, and FormatError where the shard was made with
  // another vocabulary, and where its text is gone or is another one now. Memory: a text shard's share of a run, and
  // 110 bytes a row.
  ShardExplainer(const std::filesystem::path& shard, const Vocab& vocab, const TextPlace& place,
                 const Progress& progress);
  ~ShardExplainer();

  std::size_t rows() const;
  const std::filesystem::path& text_shard() const;
  // Throws ConfigError for a row that is not there, FormatError where its bytes are not those that its text gives.
  ExplainedRow explain(std::size_t row);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bertprep
