#include "twins/tokenizer.h"

#include "unicode/code_points.h"

namespace bertprep::test {

std::vector<TokenId> plain_word_pieces(const Vocab& vocab, std::string_view word) {
  const std::u32string characters = unicode::decode(word);
  if (characters.size() > 100) return {vocab.unk()};
  std::vector<TokenId> ids;
  for (std::size_t begin = 0; begin < characters.size();) {
    std::optional<TokenId> id;
    std::size_t end = characters.size() + 1;
    while (!id && --end > begin) {
      id = vocab.find((begin > 0 ? "##" : "") + unicode::encode(characters.substr(begin, end - begin)));
    }
    if (!id) return {vocab.unk()};
    ids.push_back(*id);
    begin = end;
  }
  return ids;
}

std::vector<TokenId> plain_encode(const Vocab& vocab, const TokenizerOptions& options, std::string_view text) {
  std::vector<TokenId> ids;
  for (const std::string& word : basic_tokens(text, options)) {
    for (const TokenId id : plain_word_pieces(vocab, word)) ids.push_back(id);
  }
  return ids;
}

std::vector<TokenId> encode(Tokenizer& tokenizer, std::string_view text) {
  std::vector<TokenId> ids;
  tokenizer.encode(text, ids);
  return ids;
}

std::vector<std::string> pieces(const Vocab& vocab, const std::vector<TokenId>& ids) {
  std::vector<std::string> texts;
  for (const TokenId id : ids) texts.emplace_back(vocab.piece(id));
  return texts;
}

Vocab make_vocab(const std::vector<std::string>& more) {
  std::string bytes = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n";
  for (const std::string& piece : more) bytes += piece + "\n";
  return Vocab::parse(bytes, "vocabulary of a test");
}

}  // namespace bertprep::test
