#include "bertprep/token/tokenizer.h"
#include "text/unicode.h"
#include "token/character_kind.h"
#include "token/token_words.h"

namespace bertprep {

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
