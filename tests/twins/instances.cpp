#include "twins/instances.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "twins/random.h"

namespace bertprep::test {
namespace {

using Sentence = std::vector<TokenId>;
using Document = std::vector<Sentence>;

struct PlainInstance {
  std::vector<TokenId> tokens;
  std::vector<std::int8_t> segments;
  std::vector<std::pair<std::size_t, TokenId>> masked;  // position, original
  bool is_random_next = false;
};

std::vector<Document> nested(const TokenizedDocuments& flat) {
  std::vector<Document> documents;
  for (std::size_t d = 0; d < flat.documents(); ++d) {
    Document document;
    for (std::uint64_t s = flat.document_begin[d]; s < flat.document_begin[d + 1]; ++s) {
      const auto begin = flat.ids.begin();
      document.emplace_back(begin + static_cast<std::ptrdiff_t>(flat.sentence_begin[s]),
                            begin + static_cast<std::ptrdiff_t>(flat.sentence_begin[s + 1]));
    }
    documents.push_back(document);
  }
  return documents;
}

void append(Sentence& tokens, const Sentence& more) {
  tokens.insert(tokens.end(), more.begin(), more.end());
}

class Maker {
 public:
  Maker(const TokenizedDocuments& documents, const InstanceVocab& vocab, const InstanceOptions& options)
      : documents_(nested(documents)),
        vocab_(vocab),
        options_(options),
        random_(static_cast<std::uint64_t>(std::stoll(options.random_seed))),
        longest_(static_cast<std::size_t>(options.seq_len) - 3) {}

  std::vector<PlainInstance> make() {
    random_.shuffle(documents_);
    for (std::int64_t pass = 0; pass < options_.dupe_factor; ++pass) {
      for (std::size_t d = 0; d < documents_.size(); ++d) walk(d);
    }
    random_.shuffle(instances_);
    return instances_;
  }

  std::uint64_t draws() const { return random_.draws(); }

 private:
  void walk(std::size_t d) {
    const Document& document = documents_[d];
    std::size_t target = longest_;
    if (random_.real() < options_.short_seq_prob) target = random_.between(2, longest_);
    Document chunk;
    std::size_t length = 0;
    for (std::size_t i = 0; i < document.size(); ++i) {
      chunk.push_back(document[i]);
      length += document[i].size();
      if (i + 1 < document.size() && length < target) continue;
      i -= put_back(d, chunk, target);
      chunk.clear();
      length = 0;
    }
  }

  // Makes one instance and returns how many sentences of the chunk are to be read again.
  std::size_t put_back(std::size_t d, const Document& chunk, std::size_t target) {
    const std::size_t a_end = chunk.size() >= 2 ? random_.between(1, chunk.size() - 1) : 1;
    Sentence a;
    Sentence b;
    for (std::size_t k = 0; k < a_end; ++k) append(a, chunk[k]);
    if (chunk.size() == 1 || random_.real() < 0.5) {
      const bool is_random_next = other_text(d, static_cast<long>(target) - static_cast<long>(a.size()), b);
      finish(a, b, is_random_next);
      return chunk.size() - a_end;
    }
    for (std::size_t k = a_end; k < chunk.size(); ++k) append(b, chunk[k]);
    finish(a, b, false);
    return 0;
  }

  bool other_text(std::size_t d, long wanted, Sentence& b) {
    std::size_t other = d;
    for (int tries = 0; tries < 10; ++tries) {
      other = random_.between(0, documents_.size() - 1);
      if (other != d) break;
    }
    const Document& document = documents_[other];
    for (std::size_t s = random_.between(0, document.size() - 1); s < document.size(); ++s) {
      append(b, document[s]);
      if (static_cast<long>(b.size()) >= wanted) break;
    }
    return other != d;
  }

  void finish(Sentence a, Sentence b, bool is_random_next) {
    while (a.size() + b.size() > longest_) {
      Sentence& longer = a.size() > b.size() ? a : b;
      if (random_.real() < 0.5) {
        longer.erase(longer.begin());
      } else {
        longer.pop_back();
      }
    }
    PlainInstance instance;
    instance.is_random_next = is_random_next;
    instance.tokens.push_back(vocab_.cls);
    append(instance.tokens, a);
    instance.tokens.push_back(vocab_.sep);
    append(instance.tokens, b);
    instance.tokens.push_back(vocab_.sep);
    instance.segments.assign(a.size() + 2, 0);
    instance.segments.resize(instance.tokens.size(), 1);
    mask(instance);
    instances_.push_back(instance);
  }

  void mask(PlainInstance& instance) {
    std::vector<std::size_t> candidates;
    for (std::size_t k = 0; k < instance.tokens.size(); ++k) {
      if (instance.tokens[k] != vocab_.cls && instance.tokens[k] != vocab_.sep) candidates.push_back(k);
    }
    random_.shuffle(candidates);
    const double share = std::nearbyint(static_cast<double>(instance.tokens.size()) * options_.masked_lm_prob);
    const auto wanted = std::min<std::size_t>(static_cast<std::size_t>(options_.max_predictions),
                                              std::max<std::size_t>(1, static_cast<std::size_t>(share)));
    for (const std::size_t position : candidates) {
      if (instance.masked.size() >= wanted) break;
      TokenId& token = instance.tokens[position];
      instance.masked.emplace_back(position, token);
      if (random_.real() < 0.8) {
        token = vocab_.mask;
      } else if (random_.real() >= 0.5) {
        token = vocab_.random_words[random_.between(0, vocab_.random_words.size() - 1)];
      }
    }
    std::sort(instance.masked.begin(), instance.masked.end());
  }

  std::vector<Document> documents_;
  InstanceVocab vocab_;
  InstanceOptions options_;
  PlainRandom random_;
  std::size_t longest_;
  std::vector<PlainInstance> instances_;
};

InstanceRows sized(std::size_t rows, const InstanceOptions& options, std::int8_t filler) {
  const auto seq_len = static_cast<std::size_t>(options.seq_len);
  const auto predictions = static_cast<std::size_t>(options.max_predictions);
  InstanceRows sheet;
  sheet.rows = rows;
  sheet.input_ids.assign(rows * seq_len, filler);
  sheet.input_mask.assign(rows * seq_len, filler);
  sheet.segment_ids.assign(rows * seq_len, filler);
  sheet.masked_lm_positions.assign(rows * predictions, filler);
  sheet.masked_lm_ids.assign(rows * predictions, filler);
  sheet.next_sentence_labels.assign(rows, filler);
  return sheet;
}

}  // namespace

InstanceRows plain_instances(const TokenizedDocuments& documents, const InstanceVocab& vocab,
                             const InstanceOptions& options) {
  Maker maker(documents, vocab, options);
  const std::vector<PlainInstance> instances = maker.make();
  InstanceRows sheet = sized(instances.size(), options, 0);
  sheet.random_draws = maker.draws();
  for (std::size_t row = 0; row < instances.size(); ++row) {
    const PlainInstance& instance = instances[row];
    const std::size_t first_token = row * static_cast<std::size_t>(options.seq_len);
    for (std::size_t k = 0; k < instance.tokens.size(); ++k) {
      sheet.input_ids[first_token + k] = instance.tokens[k];
      sheet.input_mask[first_token + k] = 1;
      sheet.segment_ids[first_token + k] = instance.segments[k];
    }
    const std::size_t first_mask = row * static_cast<std::size_t>(options.max_predictions);
    for (std::size_t k = 0; k < instance.masked.size(); ++k) {
      sheet.masked_lm_positions[first_mask + k] = static_cast<std::int32_t>(instance.masked[k].first);
      sheet.masked_lm_ids[first_mask + k] = instance.masked[k].second;
    }
    sheet.next_sentence_labels[row] = instance.is_random_next ? 1 : 0;
  }
  return sheet;
}

InstanceRows copied_rows(const InstanceSet& set, const InstanceOptions& options, std::size_t rows_at_once) {
  constexpr std::int8_t kNotPadding = 77;
  const auto seq_len = static_cast<std::size_t>(options.seq_len);
  const auto predictions = static_cast<std::size_t>(options.max_predictions);
  InstanceRows sheet = sized(set.rows(), options, kNotPadding);
  sheet.random_draws = set.random_draws();
  for (std::size_t row = 0; row < set.rows(); row += rows_at_once) {
    const std::size_t count = std::min(rows_at_once, set.rows() - row);
    Batch batch;
    batch.resize(count, {count, seq_len, predictions});
    const auto soil = [&](auto& values) { std::fill(values.begin(), values.end(), kNotPadding); };
    soil(batch.input_ids);
    soil(batch.input_mask);
    soil(batch.segment_ids);
    soil(batch.masked_lm_positions);
    soil(batch.masked_lm_ids);
    soil(batch.next_sentence_labels);
    set.copy_rows(row, count, batch);
    const auto place = [row](const auto& from, auto& to, std::size_t width) {
      std::copy(from.begin(), from.end(), to.begin() + static_cast<std::ptrdiff_t>(row * width));
    };
    place(batch.input_ids, sheet.input_ids, seq_len);
    place(batch.input_mask, sheet.input_mask, seq_len);
    place(batch.segment_ids, sheet.segment_ids, seq_len);
    place(batch.masked_lm_positions, sheet.masked_lm_positions, predictions);
    place(batch.masked_lm_ids, sheet.masked_lm_ids, predictions);
    place(batch.next_sentence_labels, sheet.next_sentence_labels, 1);
  }
  return sheet;
}

}  // namespace bertprep::test
