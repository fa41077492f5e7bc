#include "pipeline/text_shards/tokenize_shard.h"

#include "bertprep/base/error.h"
#include "pipeline/text_shards/article_lines.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

// English text has about 4.2 bytes per token; slightly less here, so that growing is rare.
constexpr std::size_t kBytesPerToken = 4;

// Text between two questions whether to stop, tokenized in some milliseconds.
constexpr std::size_t kCheckedBytes = std::size_t{1} << 16U;

void end_document(TokenizedDocuments& documents) {
  if (documents.document_begin.back() != documents.sentences()) {
    documents.document_begin.push_back(documents.sentences());
  }
}

// Calls on_sentence(sentence, its tokens) for every line that is not blank, on_blank() for the others.
template <class OnSentence, class OnBlank>
TokenizedDocuments tokenize(std::string_view bytes, const std::string& file, Tokenizer& tokenizer,
                            OnSentence on_sentence, OnBlank on_blank) {
  require_valid_utf8(bytes, file);
  TokenizedDocuments documents;
  documents.ids.reserve(bytes.size() / kBytesPerToken);
  for_each_text_line(bytes, [&](std::string_view line) {
    const std::string_view sentence = strip(line);
    if (sentence.empty()) {
      end_document(documents);
      on_blank();
      return;
    }
    const std::size_t count = tokenizer.encode(sentence, documents.ids);
    on_sentence(sentence, std::span<const TokenId>(documents.ids).last(count));
    if (count > 0) documents.sentence_begin.push_back(documents.tokens());
  });
  end_document(documents);
  return documents;
}

}  // namespace

TokenizedDocuments tokenize_text_shard(std::string_view bytes, const std::string& file, Tokenizer& tokenizer,
                                       TextCounter* counter, const Progress& progress) {
  const char* next_check = bytes.data();
  const auto on_sentence = [&](std::string_view sentence, std::span<const TokenId> ids) {
    if (sentence.data() >= next_check) {
      if (progress.cancelled()) throw Cancelled();
      next_check = sentence.data() + kCheckedBytes;
    }
    if (counter != nullptr) counter->add_sentence(sentence, ids);
  };
  const auto on_blank = [&] {
    if (counter != nullptr) counter->end_article();
  };
  return tokenize(bytes, file, tokenizer, on_sentence, on_blank);
}

TokenizedDocuments tokenize_with_places(std::string_view bytes, const std::string& file, Tokenizer& tokenizer,
                                        std::vector<SentencePlace>& places) {
  std::uint32_t line = 0;
  const auto on_sentence = [&](std::string_view sentence, std::span<const TokenId> ids) {
    ++line;
    if (ids.empty()) return;
    const auto begin = static_cast<std::uint64_t>(sentence.data() - bytes.data());
    places.push_back({begin, static_cast<std::uint32_t>(sentence.size()), line});
  };
  return tokenize(bytes, file, tokenizer, on_sentence, [&] { ++line; });
}

}  // namespace bertprep
