#include "pipeline/stages/tokenize_shard.h"

#include "pipeline/stages/text_lines.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

// English text has about 4.2 bytes a token; a little less here, so that growing is rare.
constexpr std::size_t kBytesPerToken = 4;

void end_document(TokenizedDocuments& documents) {
  if (documents.document_begin.back() != documents.sentences()) {
    documents.document_begin.push_back(documents.sentences());
  }
}

}  // namespace

TokenizedDocuments tokenize_text_shard(std::string_view bytes, const std::string& file, Tokenizer& tokenizer,
                                       TextCounter* counter) {
  require_valid_utf8(bytes, file);
  TokenizedDocuments documents;
  documents.ids.reserve(bytes.size() / kBytesPerToken);
  for_each_text_line(bytes, [&](std::string_view line) {
    const std::string_view sentence = strip(line);
    if (sentence.empty()) {
      end_document(documents);
      if (counter != nullptr) counter->end_article();
      return;
    }
    const std::size_t count = tokenizer.encode(sentence, documents.ids);
    if (counter != nullptr) counter->add_sentence(sentence, std::span(documents.ids).last(count));
    if (count > 0) documents.sentence_begin.push_back(documents.tokens());
  });
  end_document(documents);
  return documents;
}

}  // namespace bertprep
