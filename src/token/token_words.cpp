#include "token/token_words.h"

#include <utility>

#include "text/unicode.h"
#include "token/special_pieces.h"

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

}  // namespace bertprep
