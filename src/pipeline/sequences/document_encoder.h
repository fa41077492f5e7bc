// DocumentEncoder: the text of a document -> ids, the same as HuggingFace's tokenizers make of it, and where its
// sentences begin among them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/instance/instance_set.h"
#include "bertprep/text/sentences.h"
#include "bertprep/token/text_encoder.h"

namespace bertprep {

// SentenceSpans: where the sentences of a text begin. The text stays as it is: what is between two sentences belongs to
// the first of them.
class SentenceSpans {
 public:
  // `splitter` is kept by reference.
  explicit SentenceSpans(const SentenceSplitter& splitter) : splitter_(splitter) {}

  // Replaces `begins` by the offsets of the sentences of `text`, which must be valid UTF-8 and have some; the first is
  // 0, whatever is before the first sentence. An empty line ends a sentence, and a line break is a blank within one;
  // the splitter `lines` takes each line as a sentence.
  void find(std::string_view text, std::vector<std::size_t>& begins);

 private:
  void find_in_paragraph(std::string_view text, std::size_t begin, std::size_t end, std::vector<std::size_t>& begins);

  const SentenceSplitter& splitter_;
  std::string line_;
  std::vector<std::string_view> sentences_;
};

namespace unicode {
class Composition;
}

// What all threads share: the encoder's tables.
class DocumentEncoder {
 public:
  // `splitter`: null if a document is one sentence. Both are kept by reference.
  DocumentEncoder(const TextEncoder& encoder, const SentenceSplitter* splitter);
  ~DocumentEncoder();

  // Appends the article, unless it has no ids. `encoder` is a clone for this thread. Thread-safe.
  void add(std::string_view text, TextEncoder& encoder, TokenizedDocuments& articles) const;

 private:
  void add_words(std::string_view text, TextEncoder& encoder, TokenizedDocuments& articles) const;
  void add_byte_pairs(std::string_view text, TextEncoder& encoder, TokenizedDocuments& articles) const;

  const SentenceSplitter* splitter_;
  bool is_wordpiece_;
  // For byte-level BPE with sentences.
  std::vector<std::uint32_t> bytes_of_tokens_;
  std::unique_ptr<const unicode::Composition> composition_;
};

}  // namespace bertprep
