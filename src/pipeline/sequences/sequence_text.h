// The text of a unit, or its documents in any format -> token ids, block by block.
#pragma once

#include "bertprep/instance/instance_set.h"
#include "pipeline/sequences/sequence_model.h"
#include "pipeline/stages/format_pass.h"
#include "pipeline/work/worker_pool.h"

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

// DocumentEncoder: the text of a document -> ids, the same as HuggingFace's tokenizers make of it, and where its
// sentences begin among them. It is what all threads share: the encoder's tables.
class DocumentEncoder {
 public:
  // `splitter`: null if a document is one sentence. Both are kept by reference.
  DocumentEncoder(const TextEncoder& encoder, const SentenceSplitter* splitter);

  // Appends the article, unless it has no ids. `encoder` is a clone for this thread. Thread-safe.
  void add(std::string_view text, TextEncoder& encoder, TokenizedDocuments& articles) const;

 private:
  void add_words(std::string_view text, TextEncoder& encoder, TokenizedDocuments& articles) const;
  void add_byte_pairs(std::string_view text, TextEncoder& encoder, TokenizedDocuments& articles) const;

  const SentenceSplitter* splitter_;
  bool is_wordpiece_;
  // For byte-level BPE with sentences.
  std::vector<std::uint32_t> bytes_of_tokens_;
  std::shared_ptr<const unicode::Composition> composition_;
};

using EncoderPool = WorkerPool<TextEncoder>;

// How lines of a unit become ids.
enum class LineRule {
  kSentences,        // of a text shard, each separately
  kJoinedSentences,  // of a text shard, joined by blanks
  kArticles,         // each line is an article of one sentence
  kRows,             // each line is a row, with its line feed; one of only white space is empty
  kDetokenizedRows
};

struct SequenceText {
  std::string sha256;  // over file_sha256, as SequenceUnit::text_sha256()
  std::uint64_t bytes = 0;
  std::vector<std::string> file_sha256;  // of the text of each input; of a file of documents, as it is stored
  // Of documents.
  std::uint64_t line_breaks = 0;
  ReasonCounts rejected{};
  ReasonCounts left_out{};
};

// Calls `add` for the ids of every block of articles, in order. Tokenizes blocks on up to `threads` threads; articles
// without ids are dropped, but not rows. Throws FormatError for invalid UTF-8 and for an article of more than
// `max_bytes`; IoError, Cancelled.
SequenceText tokenize_unit(const SequenceUnit& unit, LineRule rule, std::uint64_t max_bytes, EncoderPool& encoders,
                           std::size_t threads, const Progress& progress,
                           const std::function<void(const TokenizedDocuments&)>& add);

// How documents are read and what becomes of them.
struct DocumentRule {
  SourceOptions source;  // max_article must be set
  bool as_is = true;     // else as one line
  LineEnds line_ends = LineEnds::kKeep;
  const DocumentEncoder& encoder;
  FormatPass pass;
  std::vector<Origin>* origins = nullptr;  // gets that of every article, if given
};

// The name of its rejects file.
std::string rejects_name(const SequenceUnit& unit);

// As tokenize_unit(), for a unit of documents. Bad records go to the rejects file of the unit, in the state folder of
// `folder`, and to `progress`; without a folder, they are errors. Throws as open_source() and FormatPass::run() do.
SequenceText tokenize_documents(const SequenceUnit& unit, const DocumentRule& rule, EncoderPool& encoders,
                                const OutputFolder* folder, Progress& progress,
                                const std::function<void(const TokenizedDocuments&)>& add);

}  // namespace bertprep
