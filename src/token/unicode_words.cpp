#include "token/unicode_words.h"

#include <cstring>

#include "token/token_words.h"
#include "unicode/ascii.h"
#include "unicode/code_points.h"

namespace bertprep {
namespace {

using Action = NormalizeTable::Action;

}  // namespace

inline void UnicodeWords::add(const char* bytes, std::size_t length) {
  if (word_bytes_ > kMaxWordBytes) return;
  for (std::size_t i = 0; i < length; ++i) word_[word_bytes_ + i] = bytes[i];
  word_bytes_ += length;
}

inline void UnicodeWords::end_word(TokenId*& out) {
  if (word_bytes_ == 0) return;
  if (word_bytes_ <= WordKey::kBytes) {
    out = pieces_.encode(masks_.cut(word_, word_bytes_), out);
  } else {
    out = pieces_.encode(std::string_view(word_, word_bytes_), out);
  }
  word_bytes_ = 0;
}

inline void UnicodeWords::add_lone(const NormalizeTable::Entry& entry, const char* bytes, std::size_t length,
                                   TokenId*& out) {
  end_word(out);
  if (entry.is_replaced) {
    add(normalize_.replacement(entry), entry.length);
  } else {
    add(bytes, length);
  }
  end_word(out);
}

const char* UnicodeWords::encode(const char* at, const char* end, TokenId*& out) {
  const char* token = at;
  TokenId* token_out = out;
  while (at != end) {
    const char* const start = at;
    const NormalizeTable::Entry entry = normalize_[unicode::next_code_point(at)];
    const auto length = static_cast<std::size_t>(at - start);
    switch (entry.action) {
      case Action::Letter:
        if (entry.is_replaced) {
          add(normalize_.replacement(entry), entry.length);
        } else {
          add(start, length);
        }
        continue;
      case Action::Drop:
        continue;
      case Action::Lone:
        if (*start == '[' && out == token_out && word_bytes_ == 0 && take_special_piece(at, token, end, out)) continue;
        add_lone(entry, start, length, out);
        continue;
      case Action::InContext:
        out = token_out;
        encode_in_context(at, token, end, out);
        continue;
      case Action::Space:
        end_word(out);
        if (is_ascii(*start) && (at == end || is_ascii(*at))) return at;
        break;
      case Action::Cjk:
        add_lone(entry, start, length, out);
        break;
    }
    token = at;
    token_out = out;
  }
  end_word(out);
  return at;
}

// The token that starts at `at`, without dropped characters; moves `at` to its end.
std::u32string UnicodeWords::cleaned_token(const char*& at, const char* end) {
  std::u32string token;
  while (at != end) {
    const char* next = at;
    const char32_t c = unicode::next_code_point(next);
    const Action action = normalize_[c].action;
    if (action == Action::Space || action == Action::Cjk) break;
    if (action != Action::Drop) token += c;
    at = next;
  }
  return token;
}

// If the token is a special piece, writes its id and moves `at` to the end of the token.
bool UnicodeWords::take_special_piece(const char*& at, const char* token, const char* end, TokenId*& out) {
  const char* token_end = token;
  const std::string text = unicode::encode(cleaned_token(token_end, end));
  if (!is_special_piece(text)) return false;
  out = pieces_.encode(std::string_view(text), out);
  at = token_end;
  return true;
}

// Encodes the whole token again; `out` is where its ids begin.
void UnicodeWords::encode_in_context(const char*& at, const char* token, const char* end, TokenId*& out) {
  word_bytes_ = 0;
  const char* token_end = token;
  std::vector<std::string> words;
  append_words(cleaned_token(token_end, end), normalization_, words);
  for (const std::string& word : words) out = pieces_.encode(std::string_view(word), out);
  at = token_end;
}

}  // namespace bertprep
