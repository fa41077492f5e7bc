// Where rows come from: those of shards, and of sets of token sequences.
//
// Their files do not record this. The text shard is tokenized and its rows are drawn or cut again, with the options of
// the manifest; the result is compared with the stored row.
#pragma once

#include <array>

#include "bertprep/shard/schema.h"
#include "bertprep/token/vocab.h"
#include "pipeline/explain/text_of_shard.h"

namespace bertprep {

struct ExplainedSentence {
  std::string text;
  std::uint64_t line = 0;  // in the text shard, from 1
  std::size_t tokens = 0;
  // Its tokens that are in the row: [first_token, last_token).
  std::size_t first_token = 0;
  std::size_t last_token = 0;
};

// A or B, from one article.
struct ExplainedSegment {
  ArticleOrigin article;
  std::uint64_t first_line = 0;  // of the article in the text shard
  std::uint64_t last_line = 0;
  std::vector<ExplainedSentence> sentences;
  std::size_t cut_tokens = 0;  // truncated at the ends to fit the row
};

// How B was found. kSameArticle: ten draws gave the article of A, so B is a random run of it, and counts as following.
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
  std::uint64_t aimed_tokens = 0;  // including [CLS] and both [SEP]
  std::array<ExplainedSegment, 2> segments;
  std::vector<ExplainedMask> masks;
};

// Throws FormatError, with what to do, for a shard whose rows can't be made again: without a manifest, redistributed by
// reshard, made with a custom tokenizer.
void require_explainable(const std::filesystem::path& shard);

// ShardExplainer: where the rows of a shard come from.
class ShardExplainer {
 public:
  // `vocab` must outlive the object. Throws as require_explainable(), and FormatError if the shard was made with
  // another vocabulary, or its text is missing or has changed. Memory: as for one text shard in a run, and 110 bytes
  // per row.
  ShardExplainer(const std::filesystem::path& shard, const Vocab& vocab, const TextPlace& place,
                 const Progress& progress);

  std::size_t rows() const;
  const std::filesystem::path& text_shard() const;
  // Throws ConfigError for a row out of range, FormatError if its bytes differ from those made from the text.
  ExplainedRow explain(std::size_t row);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// A document, of which the tokens [first_token, last_token) are in the row, from its token `begin` on.
struct ExplainedDocument {
  ArticleOrigin article;
  std::uint64_t line = 0;  // in the text shard, from 1
  std::size_t begin = 0;
  std::size_t first_token = 0;
  std::size_t last_token = 0;
  std::size_t tokens = 0;  // of all of it
};

struct ExplainedSequence {
  std::filesystem::path text_shard;
  std::vector<ExplainedDocument> documents;  // in the order of the row
};

// SequenceExplainer: the documents from which a run made the rows of a set of token sequences.
class SequenceExplainer {
 public:
  // `path`: an HDF5 file of a set, or the folder of a split or a part of an MDS set. Throws IoError; FormatError, with
  // what to do, for a set of another tool, in Megatron's format, not made by a run, or whose text has lost its lines.
  SequenceExplainer(const std::filesystem::path& path, const TextPlace& place, Progress& progress);

  // Memory: as for one text shard in a run. Throws ConfigError for a row out of range; FormatError if the text is
  // missing or has changed, or the row is another one than its text makes.
  ExplainedSequence explain(std::uint64_t row);

 private:
  class State;
  std::shared_ptr<State> state_;
};

}  // namespace bertprep
