#include "instance/segment_pairs.h"

namespace bertprep {
namespace {

constexpr int kTriesForAnotherDocument = 10;
constexpr std::uint32_t kSpecialTokens = 3;  // [CLS] and twice [SEP]

}  // namespace

// Which end loses a token is unpredictable, so both are counted without a branch.
void truncate(SegmentPair& pair, std::uint64_t max_length, Random& random) {
  if (pair.length() <= max_length) return;
  for (std::uint64_t excess = pair.length() - max_length; excess > 0; --excess) {
    const std::uint64_t from_a = pair.a_length > pair.b_length ? 1 : 0;
    const std::uint64_t at_front = random.coin() ? 1 : 0;
    pair.a_begin += from_a & at_front;
    pair.b_begin += (from_a ^ 1) & at_front;
    pair.a_length -= from_a;
    pair.b_length -= from_a ^ 1;
  }
}

SegmentPairs::SegmentPairs(const TokenizedDocuments& documents, const InstanceOptions& options, Random& random)
    : documents_(documents),
      random_(random),
      short_seq_prob_(options.short_seq_prob),
      max_length_(static_cast<std::uint32_t>(options.seq_len) - kSpecialTokens),
      passes_(options.dupe_factor) {
  order_.reserve(documents.documents());
  for (std::size_t document = 0; document < documents.documents(); ++document) {
    order_.push_back({static_cast<std::uint32_t>(documents.document_begin[document]),
                      static_cast<std::uint32_t>(documents.document_begin[document + 1])});
  }
  random_.shuffle(std::span(order_));
}

bool SegmentPairs::next(SegmentPair& pair) {
  if (!next_whole(pair)) return false;
  truncate(pair);
  return true;
}

void SegmentPairs::truncate(SegmentPair& pair) {
  cut_tokens_ += pair.length() > max_length_ ? pair.length() - max_length_ : 0;
  bertprep::truncate(pair, max_length_, random_);
}

bool SegmentPairs::next_whole(SegmentPair& pair) {
  if (sentence_ == document_end_ && !open_document()) return false;

  const std::size_t begin = sentence_;
  const std::size_t end = chunk_end();
  const auto sentences = static_cast<std::uint32_t>(end - begin);
  const std::size_t a_end = begin + (sentences >= 2 ? random_.between(1, sentences - 1) : 1);
  pair.a_begin = documents_.sentence_begin[begin];
  pair.a_length = length_of(begin, a_end);
  if (sentences == 1 || random_.coin()) {
    random_next(pair);
    sentence_ = a_end;
  } else {
    pair.b_begin = documents_.sentence_begin[a_end];
    pair.b_length = length_of(a_end, end);
    pair.is_random_next = false;
    sentence_ = end;
  }
  return true;
}

// The short target is drawn once for each pass over a document.
bool SegmentPairs::open_document() {
  if (next_document_ == order_.size()) {
    next_document_ = 0;
    ++pass_;
  }
  if (pass_ >= passes_ || order_.empty()) return false;

  const Sentences document = order_[next_document_++];
  sentence_ = document.first;
  document_end_ = document.last;
  target_length_ = max_length_;
  if (random_.real() < short_seq_prob_) target_length_ = random_.between(2, max_length_);
  return true;
}

std::size_t SegmentPairs::chunk_end() const {
  std::size_t end = sentence_ + 1;
  while (end < document_end_ && length_of(sentence_, end) < target_length_) ++end;
  return end;
}

std::uint64_t SegmentPairs::length_of(std::size_t first_sentence, std::size_t last_sentence) const {
  return documents_.sentence_begin[last_sentence] - documents_.sentence_begin[first_sentence];
}

// After ten draws of the same document, B comes from it and counts as the actual next.
void SegmentPairs::random_next(SegmentPair& pair) {
  const std::size_t current = next_document_ - 1;
  std::size_t other = current;
  for (int tries = 0; tries < kTriesForAnotherDocument && other == current; ++tries) {
    other = random_.below(static_cast<std::uint32_t>(order_.size()));
  }
  pair.is_random_next = other != current;

  const Sentences source = order_[other];
  const std::size_t begin = source.first + random_.below(source.last - source.first);
  std::size_t end = begin + 1;
  while (end < source.last && pair.a_length + length_of(begin, end) < target_length_) ++end;
  pair.b_begin = documents_.sentence_begin[begin];
  pair.b_length = length_of(begin, end);
}

}  // namespace bertprep
