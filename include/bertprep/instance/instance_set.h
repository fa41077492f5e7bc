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

#include "bertprep/instance/instance_options.h"
#include "bertprep/instance/tokenized_documents.h"
#include "bertprep/token/token_id.h"

namespace bertprep {

// What the builder must know of a vocabulary. `random_words` are the ids a masked token may be replaced by,
// in the order of the vocabulary file (all of them, special pieces too).
struct InstanceVocab {
  TokenId cls = 0;
  TokenId sep = 0;
  TokenId mask = 0;
  std::span<const TokenId> random_words;
};

// Rows as the trainer reads them, all row-major; every array holds `rows` rows. Padding is 0.
struct InstanceArrays {
  std::int32_t* input_ids;            // rows x seq_len
  std::int8_t* input_mask;            // rows x seq_len, 1 for tokens
  std::int8_t* segment_ids;           // rows x seq_len, 1 for B and its [SEP]
  std::int32_t* masked_lm_positions;  // rows x max_predictions, ascending
  std::int32_t* masked_lm_ids;        // rows x max_predictions, the original ids
  std::int8_t* next_sentence_labels;  // rows, 1 = B is random
};

class InstanceSet {
 public:
  // Makes all instances of `documents` (seq_len >= 5). Both arguments are kept by reference and must outlive
  // the set. Memory: about 24 bytes an instance and 6 a masked token, beside the documents. Throws
  // ConfigError for options out of range, FormatError for documents beyond what a shard can hold.
  InstanceSet(const TokenizedDocuments& documents, const InstanceVocab& vocab, const InstanceOptions& options);
  ~InstanceSet();
  InstanceSet(InstanceSet&&) noexcept;
  InstanceSet& operator=(InstanceSet&&) noexcept;

  std::size_t rows() const;
  std::uint64_t masked_tokens() const;
  // 32-bit outputs of the generator that were consumed.
  std::uint64_t random_draws() const;

  // Writes rows [first, first + count) into `arrays`, which have room for `count` rows.
  // Several threads may call it at once.
  void copy_rows(std::size_t first, std::size_t count, const InstanceArrays& arrays) const;

 private:
  struct Rows;
  std::unique_ptr<Rows> rows_;
};

}  // namespace bertprep
