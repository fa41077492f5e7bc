#include "pipeline/sequences/sequence_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/golden_data.h"

namespace bertprep {
namespace {

TokenizedDocuments encode(const std::string& vocab, const std::vector<std::string>& texts, bool splits) {
  TextEncoder encoder = TextEncoder::open(vocab, {});
  const auto splitter = make_sentence_splitter({.rules = SentenceRules::kIcu});
  const DocumentEncoder documents(encoder, splits ? splitter.get() : nullptr);
  TokenizedDocuments articles;
  for (const std::string& text : texts) documents.add(text, encoder, articles);
  return articles;
}

// The text of each sentence, by the tokens' spelling.
std::vector<std::string> sentences_of(const std::string& vocab, const TokenizedDocuments& articles) {
  const TextEncoder encoder = TextEncoder::open(vocab, {});
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < articles.sentences(); ++i) {
    std::string& sentence = sentences.emplace_back();
    for (auto at = articles.sentence_begin[i]; at < articles.sentence_begin[i + 1]; ++at) {
      sentence += encoder.token(articles.ids[at]);
    }
  }
  return sentences;
}

std::string byte_pairs() {
  return (test::source_folder() / "samples" / "byte-pairs").string();
}

TEST(DocumentEncoder, SentencesChangeNoId) {
  const std::vector<std::string> texts{"One.  Two!\n\n\nThree?", " \n", "A", "  x.\n Y z. \tQ\n"};
  for (const std::string& vocab : {byte_pairs(), std::string("sample-uncased")}) {
    const TokenizedDocuments whole = encode(vocab, texts, false);
    const TokenizedDocuments parted = encode(vocab, texts, true);
    EXPECT_EQ(whole.ids, parted.ids) << vocab;
    EXPECT_EQ(whole.documents(), parted.documents());
    EXPECT_EQ(parted.sentence_begin.back(), parted.tokens());
    EXPECT_GT(parted.sentences(), whole.sentences());
  }
}

// A word of byte-level BPE begins with the blank before it.
TEST(DocumentEncoder, ASentenceBeginsAtTheTokenWithItsFirstByte) {
  EXPECT_EQ(sentences_of(byte_pairs(), encode(byte_pairs(), {"One.  Two!\n\nIt"}, true)),
            (std::vector<std::string>{"One.\u0120", "\u0120Two!\u010a\u010a", "It"}));
}

TEST(DocumentEncoder, ADocumentWithoutIdsIsLeftOut) {
  const TokenizedDocuments articles = encode("sample-uncased", {" \n", "word", "\t"}, false);
  EXPECT_EQ(articles.documents(), 1U);
}

}  // namespace
}  // namespace bertprep
