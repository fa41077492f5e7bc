// The tokenizer by the reference's rules, without the library's tables and caches: the twin of the fast one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bertprep/token/tokenizer.h"
#include "bertprep/token/vocab.h"

namespace bertprep::test {

// Greedy longest match only by look-ups in the vocabulary.
std::vector<TokenId> plain_word_pieces(const Vocab& vocab, std::string_view word);
// basic_tokens(), then plain_word_pieces() of every word.
std::vector<TokenId> plain_encode(const Vocab& vocab, const TokenizerOptions& options, std::string_view text);

std::vector<TokenId> encode(Tokenizer& tokenizer, std::string_view text);
std::vector<std::string> pieces(const Vocab& vocab, const std::vector<TokenId>& ids);

// A vocabulary of the five special pieces, from id 0 on, and then `more`.
Vocab make_vocab(const std::vector<std::string>& more);

}  // namespace bertprep::test
