#include "bertprep/instance/instance_set.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "base/fields.h"
#include "bertprep/base/error.h"
#include "instance/instance_rows.h"

namespace bertprep {

FieldList<InstanceOptions> fields_of(const InstanceOptions* /*options*/) {
  using Options = InstanceOptions;
  static const Field<Options> kFields[] = {
      {.name = "seq-len",
       .member = &Options::seq_len,
       .unit = "tokens",
       .help = "length of a row, including [CLS] and both [SEP]; the reference stops at 512",
       .min = 5,
       .max = 65535},
      {.name = "max-predictions",
       .member = &Options::max_predictions,
       .unit = "tokens",
       .help = "maximum number of masked tokens in a row",
       .min = 1,
       .max = 65535},
      {.name = "masked-lm-prob",
       .member = &Options::masked_lm_prob,
       .unit = "share",
       .help = "share of a row's tokens to mask",
       .min = 0,
       .max = 1},
      {.name = "short-seq-prob",
       .member = &Options::short_seq_prob,
       .unit = "share",
       .help = "share of the passes over a document that aim at shorter rows",
       .min = 0,
       .max = 1},
      {.name = "dupe-factor",
       .member = &Options::dupe_factor,
       .unit = "passes",
       .help = "number of times each document is turned into rows, with new masks each time",
       .min = 1},
      {.name = "random-seed",
       .member = &Options::random_seed,
       .unit = "integer",
       .help = "seed of all random draws: an integer of any size and sign"},
  };
  return {kFields, OptionGroup::kRows};
}

namespace {

constexpr std::size_t kCheckInterval = 4096;  // rows, made in some milliseconds
constexpr std::uint64_t kMaxPerShard = std::numeric_limits<std::uint32_t>::max();

void check_input(const TokenizedDocuments& documents, const InstanceVocab& vocab, const InstanceOptions& options) {
  validate(options);
  if (vocab.random_words.empty()) throw FormatError("the vocabulary has no words to replace masked tokens with");
  if (documents.tokens() > kMaxPerShard) {
    throw FormatError("a text shard of " + std::to_string(documents.tokens()) + " tokens is too large, at most " +
                          std::to_string(kMaxPerShard) + " are possible",
                      {}, "split the corpus into more shards");
  }
}

// The expected number of rows, so that memory is neither copied nor touched needlessly. Rows overlap if sentences are
// collected again, and documents end with short ones; no sentence starts more than one row in a pass.
std::size_t expected_rows(const TokenizedDocuments& documents, const InstanceOptions& options) {
  const double passes = static_cast<double>(options.dupe_factor);
  const double by_tokens = 1.6 * static_cast<double>(documents.tokens()) / static_cast<double>(options.seq_len) +
                           2.0 * static_cast<double>(documents.documents());
  const double rows = passes * std::min(by_tokens, static_cast<double>(documents.sentences()));
  constexpr double kMaxReserved = 1 << 22;
  return static_cast<std::size_t>(std::min(rows, kMaxReserved));
}

}  // namespace

struct InstanceSet::Rows {
  std::vector<Instance> instances;
  MaskedTokens masked;
  RowSource source;
  TokenId mask;
  std::uint64_t random_draws = 0;
  std::uint64_t cut_tokens = 0;

  Rows(const TokenizedDocuments& documents, const InstanceVocab& vocab, const InstanceOptions& options,
       const Progress& progress)
      : source(documents, masked, vocab, options), mask(vocab.mask) {
    reserve(documents, options);
    Random random(options.random_seed);
    fill(documents, vocab, options, random, progress);
    random.shuffle(std::span(instances));
    random_draws = random.draws();
  }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  void reserve(const TokenizedDocuments& documents, const InstanceOptions& options) {
    const std::size_t rows = expected_rows(documents, options);
    const std::size_t masks = rows * masks_for_length(source.seq_len, options);
    instances.reserve(rows);
    masked.positions.reserve(masks);
    masked.replacements.reserve(masks);
  }

  void fill(const TokenizedDocuments& documents, const InstanceVocab& vocab, const InstanceOptions& options,
            Random& random, const Progress& progress) {
    SegmentPairs pairs(documents, options, random);
    Masking masking(documents, vocab, options);
    for (SegmentPair pair; pairs.next(pair);) {
      if (instances.size() % kCheckInterval == 0 && progress.cancelled()) throw Cancelled();
      if (instances.size() == kMaxPerShard) {
        throw FormatError("more than " + std::to_string(kMaxPerShard) + " instances in one shard", {},
                          "split the corpus into more shards");
      }
      const std::uint64_t masks_begin = masked.positions.size();
      const std::uint16_t masks = masking.append(pair, random, masked);
      instances.push_back(make_instance(pair, masks_begin, masks));
    }
    cut_tokens = pairs.cut_tokens();
  }
};

InstanceSet::InstanceSet(const TokenizedDocuments& documents, const InstanceVocab& vocab,
                         const InstanceOptions& options, const Progress& progress) {
  check_input(documents, vocab, options);
  rows_ = std::make_shared<const Rows>(documents, vocab, options, progress);
}

std::size_t InstanceSet::rows() const {
  return rows_->instances.size();
}

std::uint64_t InstanceSet::masked_tokens() const {
  return rows_->masked.positions.size();
}

std::uint64_t InstanceSet::random_draws() const {
  return rows_->random_draws;
}

std::uint64_t InstanceSet::cut_tokens() const {
  return rows_->cut_tokens;
}

RowCounts InstanceSet::counts() const {
  constexpr std::uint64_t kSpecialTokens = 3;  // [CLS] and both [SEP]
  RowCounts counts{.rows = rows()};
  for (const Instance& row : rows_->instances) {
    counts.tokens += row.a_length + row.b_length + kSpecialTokens;
    counts.random_next += row.is_random_next ? 1 : 0;
  }
  for (const TokenId id : rows_->masked.replacements) {
    counts.masked_as_mask += id == rows_->mask ? 1 : 0;
    counts.masked_as_same += id == kKeptToken ? 1 : 0;
  }
  counts.masked_as_random = masked_tokens() - counts.masked_as_mask - counts.masked_as_same;
  return counts;
}

void InstanceSet::copy_rows(std::size_t first, std::size_t count, Batch& batch) const {
  assert(first + count <= rows());
  copy_instances(rows_->source, std::span(rows_->instances).subspan(first, count), batch);
}

}  // namespace bertprep
