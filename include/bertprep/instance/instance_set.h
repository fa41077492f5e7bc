// InstanceSet: all instances of one text shard, in their final order.
//
// An instance is [CLS] A [SEP] B [SEP], where A and B are runs of tokens of the text, with up to
// max_predictions tokens masked. The algorithm and the order of its random draws are those of the reference's
// create_pretraining_data.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/shard/schema.h"
#include "bertprep/token/vocab.h"

namespace bertprep {

// InstanceOptions: how to make instances for masked LM and next-sentence prediction. Defaults are the reference's.
//
// The reference fails for seq_len above 512; longer rows, up to 65535, follow the same rules.

struct InstanceOptions {
  std::int64_t seq_len = 128;
  std::int64_t max_predictions = 20;
  double masked_lm_prob = 0.15;
  double short_seq_prob = 0.1;
  std::int64_t dupe_factor = 5;
  std::string random_seed = "12345";  // any integer that Python accepts
};

// TokenizedDocuments: the token ids of one text shard, document by document and sentence by sentence.

// Sentence s is ids[sentence_begin[s] .. sentence_begin[s + 1]), at least one token. Document d is the sentences from
// document_begin[d] up to document_begin[d + 1], at least one. Both offset lists end with the total.
struct TokenizedDocuments {
  std::vector<TokenId> ids;
  std::vector<std::uint64_t> sentence_begin{0};
  std::vector<std::uint64_t> document_begin{0};

  std::size_t documents() const { return document_begin.size() - 1; }
  std::size_t sentences() const { return sentence_begin.size() - 1; }
  std::size_t tokens() const { return ids.size(); }
};

// What the builder needs from a vocabulary. `random_words` are the ids that may replace a masked token, in the order of
// the vocabulary file: all of them, including special pieces.
struct InstanceVocab {
  TokenId cls = 0;
  TokenId sep = 0;
  TokenId mask = 0;
  std::span<const TokenId> random_words;
};

// What the rows of a set are made of.
struct RowCounts {
  std::uint64_t rows = 0;
  std::uint64_t tokens = 0;  // without padding
  std::uint64_t random_next = 0;
  std::uint64_t masked_as_mask = 0;    // by [MASK]
  std::uint64_t masked_as_same = 0;    // left as they are
  std::uint64_t masked_as_random = 0;  // by a random piece

  std::uint64_t masked() const { return masked_as_mask + masked_as_same + masked_as_random; }
  bool operator==(const RowCounts&) const = default;
};

class InstanceSet {
 public:
  // Makes all instances of `documents` (seq_len >= 5). Keeps references to `documents` and `vocab`, which must outlive
  // the set. Memory: about 24 bytes per instance and 6 per masked token, besides the documents. Throws ConfigError for
  // options out of range, FormatError for more documents than a shard can hold, Cancelled.
  InstanceSet(const TokenizedDocuments& documents, const InstanceVocab& vocab, const InstanceOptions& options,
              const Progress& progress = {});

  std::size_t rows() const;
  std::uint64_t masked_tokens() const;
  // The number of 32-bit outputs of the generator that were consumed.
  std::uint64_t random_draws() const;
  // Tokens of sentence pairs that did not fit into their rows.
  std::uint64_t cut_tokens() const;
  // Looks at every row.
  RowCounts counts() const;

  // Fills `batch` with rows [first, first + count). Several threads may call it at once, each with its own batch.
  void copy_rows(std::size_t first, std::size_t count, Batch& batch) const;

 private:
  struct Rows;
  std::shared_ptr<const Rows> rows_;
};

}  // namespace bertprep
