#include "pipeline/text_shards/tokenize_shard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

class TokenizeShard : public testing::Test {
 protected:
  TokenizedDocuments tokenize(std::string_view text) { return tokenize_text_shard(text, "shard.txt", tokenizer_); }

  Vocab vocab_ = Vocab::parse("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nb\nc\n", "vocab");
  Tokenizer tokenizer_{vocab_, {}};
};

TEST_F(TokenizeShard, EmptyLinesEndDocuments) {
  const TokenizedDocuments documents = tokenize("a b\nc\n\n\nb\n\n");
  EXPECT_THAT(documents.ids, testing::ElementsAre(5, 6, 7, 6));
  EXPECT_THAT(documents.sentence_begin, testing::ElementsAre(0, 2, 3, 4));
  EXPECT_THAT(documents.document_begin, testing::ElementsAre(0, 2, 3));
}

TEST_F(TokenizeShard, CountsTokenizedAndDroppedText) {
  TextCounter counter(vocab_, tokenizer_.clone(), {});
  tokenize_text_shard("a b\nc x\n\n\u200b\n\nb", "shard.txt", tokenizer_, &counter);
  const TextCounts counts = counter.take();
  EXPECT_EQ(counts.articles, 2u);
  EXPECT_EQ(counts.sentences, 3u);
  EXPECT_EQ(counts.tokens, 5u);
  EXPECT_EQ(counts.unknown, 1u);
  EXPECT_EQ(counts.empty_sentences, 1u);
  EXPECT_EQ(counts.empty_articles, 1u);
}

TEST_F(TokenizeShard, UnicodeBlanksEndDocumentsAndEmptySentencesAreDropped) {
  // U+00A0 is white space; U+200B is removed by the tokenizer.
  const TokenizedDocuments documents = tokenize("a\n\u00a0\nb\n\u200b\nc");
  EXPECT_EQ(documents.documents(), 2u);
  EXPECT_EQ(documents.sentences(), 3u);
}

TEST_F(TokenizeShard, NothingGivesNoDocument) {
  EXPECT_EQ(tokenize("").documents(), 0u);
  EXPECT_EQ(tokenize("\n\n \n").documents(), 0u);
}

TEST_F(TokenizeShard, InvalidTextNamesLineAndByte) {
  try {
    tokenize("a\nb\xc3(\n");
    FAIL();
  } catch (const FormatError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("shard.txt:2"));
    EXPECT_THAT(error.what(), testing::HasSubstr("byte 3"));
  }
}

}  // namespace
}  // namespace bertprep
