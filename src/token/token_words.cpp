#include "token/token_words.h"

#include <utility>

#include "bertprep/token/tokenizer.h"
#include "unicode/code_points.h"
#include "unicode/properties/mappings.h"
#include "unicode/properties/properties.h"

namespace bertprep {
namespace {

void append_split_at_punctuation(std::u32string_view text, std::vector<std::string>& words) {
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(std::exchange(word, {}));
  };
  for (const char32_t c : text) {
    if (unicode::is_punctuation(c)) end_word();
    unicode::append_utf8(c, word);
    if (unicode::is_punctuation(c)) end_word();
  }
  end_word();
}

}  // namespace

std::u32string fold(std::u32string_view token) {
  std::u32string folded = unicode::nfd(unicode::lower(token));
  std::erase_if(folded, unicode::is_nonspacing_mark);
  return folded;
}

void append_words(std::u32string_view token, bool lower_case, std::vector<std::string>& words) {
  if (std::string text = unicode::encode(token); is_special_piece(text)) {
    words.push_back(std::move(text));
  } else if (lower_case) {
    append_split_at_punctuation(fold(token), words);
  } else {
    append_split_at_punctuation(token, words);
  }
}

std::vector<std::string> basic_tokens(std::string_view text, const TokenizerOptions& options) {
  std::vector<std::string> words;
  std::u32string token;
  const auto end_token = [&] {
    append_words(token, options.lower_case, words);
    token.clear();
  };
  for (const char32_t c : unicode::decode(text)) {
    switch (character_kind(c)) {
      case CharacterKind::Dropped:
        break;
      case CharacterKind::Space:
        end_token();
        break;
      case CharacterKind::Cjk:
        end_token();
        token = c;
        end_token();
        break;
      case CharacterKind::Other:
        token += c;
        break;
    }
  }
  end_token();
  return words;
}

}  // namespace bertprep
