#include "token/token_words.h"

#include "unicode/properties/mappings.h"

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

Normalization normalization_of(const TokenizerOptions& options) {
  const bool strip_accents = options.strip_accents == AccentStripping::kAuto
                                 ? options.lower_case
                                 : options.strip_accents == AccentStripping::kYes;
  return {options.lower_case, strip_accents};
}

std::u32string normalize(std::u32string_view token, Normalization normalization) {
  std::u32string normalized = normalization.lower_case ? unicode::lower(token) : std::u32string(token);
  if (!normalization.strip_accents) return normalized;
  normalized = unicode::nfd(normalized);
  std::erase_if(normalized, unicode::is_nonspacing_mark);
  return normalized;
}

void append_words(std::u32string_view token, Normalization normalization, std::vector<std::string>& words) {
  if (std::string text = unicode::encode(token); is_special_piece(text)) {
    words.push_back(std::move(text));
  } else {
    append_split_at_punctuation(normalize(token, normalization), words);
  }
}

std::vector<std::string> basic_tokens(std::string_view text, const TokenizerOptions& options) {
  std::vector<std::string> words;
  const Normalization normalization = normalization_of(options);
  std::u32string token;
  const auto end_token = [&] {
    append_words(token, normalization, words);
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
