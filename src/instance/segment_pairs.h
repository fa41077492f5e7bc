// SegmentPairs: the pairs of text runs (A, B) that instances are made of, one after the other.
//
// Documents are shuffled once. Each is then used dupe_factor times: sentences are collected until they fill the target
// length, and split into A and the rest, and B is that rest or, for a random next, a run of another document; the
// sentences that A did not use are then collected again. Pairs and masks draw from one generator in turn, so a pair is
// made only when requested.
#pragma once

#include "base/random.h"
#include "bertprep/instance/instance_set.h"

namespace bertprep {

struct SegmentPair {
  std::uint64_t a_begin;  // in TokenizedDocuments::ids
  std::uint64_t b_begin;
  std::uint64_t a_length;
  std::uint64_t b_length;
  bool is_random_next;

  std::uint64_t length() const { return a_length + b_length; }
};

// Drops tokens of the longer segment (B if they are equal) at a random end until both fit into `max_length`.
void truncate(SegmentPair& pair, std::uint64_t max_length, Random& random);

class SegmentPairs {
 public:
  // Keeps references to all three; `options` must be valid. Shuffles the documents.
  SegmentPairs(const TokenizedDocuments& documents, const InstanceOptions& options, Random& random);

  // Makes the next pair, truncated to seq_len - 3 tokens. False after the last one.
  bool next(SegmentPair& pair);

  // The same in two steps, for callers that need the pair before truncation: it may be longer, and must be truncated
  // before anything else is drawn.
  bool next_whole(SegmentPair& pair);
  void truncate(SegmentPair& pair);
  // Of the last pair: the pass over the documents, from 0, and the target length.
  std::int64_t pass() const { return pass_; }
  std::uint32_t target_length() const { return target_length_; }
  // What all pairs so far lost by truncation.
  std::uint64_t cut_tokens() const { return cut_tokens_; }

 private:
  // The sentences of one document.
  struct Sentences {
    std::uint32_t first;
    std::uint32_t last;  // one past
  };

  bool open_document();
  std::size_t chunk_end() const;
  std::uint64_t length_of(std::size_t first_sentence, std::size_t last_sentence) const;
  void random_next(SegmentPair& pair);

  const TokenizedDocuments& documents_;
  Random& random_;
  const double short_seq_prob_;
  const std::uint32_t max_length_;
  const std::int64_t passes_;

  std::vector<Sentences> order_;  // the shuffled documents
  std::int64_t pass_ = 0;
  std::size_t next_document_ = 0;  // in order_
  std::uint32_t target_length_ = 0;
  std::uint64_t cut_tokens_ = 0;
  std::size_t sentence_ = 0;  // the first one not used yet
  std::size_t document_end_ = 0;
};

}  // namespace bertprep
