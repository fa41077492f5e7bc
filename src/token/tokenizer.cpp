#include "bertprep/token/tokenizer.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/clones.h"
#include "base/fields.h"
#include "token/byte_classes.h"
#include "token/normalize_table.h"
#include "token/piece_trie.h"
#include "token/token_words.h"
#include "token/word_pieces.h"
#include "unicode/ascii.h"
#include "unicode/code_points.h"

namespace bertprep {

FieldList<TokenizerOptions> fields_of(const TokenizerOptions* /*options*/) {
  static const Field<TokenizerOptions> kFields[] = {
      {.name = "lower-case",
       .member = &TokenizerOptions::lower_case,
       .unit = "",
       .help = "convert text to lower case, as an uncased vocabulary needs"},
      {.name = "strip-accents",
       .member = enum_member<&TokenizerOptions::strip_accents>,
       .unit = "",
       .help = "strip accents and other nonspacing marks; auto: with --lower-case, as in the reference",
       .choices = kAccentChoices,
       .unrecorded = kAutomaticAccents},
  };
  return {kFields, OptionGroup::kText};
}

struct Tokenizer::Tables {
  Tables(const Vocab& vocab, const TokenizerOptions& options)
      : normalization(normalization_of(options)),
        unk(vocab.unk()),
        pieces(vocab.size()),
        custom(options.custom),
        masks(normalization.lower_case),
        trie(vocab) {}

  Normalization normalization;
  TokenId unk;
  std::size_t pieces;
  std::shared_ptr<const SentenceTokenizer> custom;
  KeyMasks masks;
  PieceTrie trie;
};

void check_tokenizer(const TokenizerOptions& options) {
  validate(options);
  if (options.custom != nullptr) check_component(*options.custom, "the tokenizer");
}

struct Tokenizer::Cache {
  explicit Cache(Normalization normalization) : normalize(normalization) {}

  NormalizeTable normalize;
  WordPieces::Caches words;
  std::vector<TokenId> out;
};

namespace {

// UnicodeWords: tokenizes text that is not plain ASCII, character by character.
class UnicodeWords {
 public:
  UnicodeWords(NormalizeTable& normalize, const KeyMasks& masks, Normalization normalization, WordPieces& pieces)
      : normalize_(normalize), masks_(masks), normalization_(normalization), pieces_(pieces) {}

  // Encodes from `at`, the start of a white-space token, to an ASCII white space after which plain ASCII may follow, or
  // to `end`; returns the position. Writes the ids from `out` on and moves it to their end; `out` must have room for
  // one id per byte of the text and 4 more.
  const char* encode(const char* at, const char* end, TokenId*& out);

 private:
  // Longer words are always [UNK], so that the buffer need not grow.
  static constexpr std::size_t kMaxWordBytes = 4 * WordPieces::kMaxCodePoints;

  void add(const NormalizeTable::Entry& entry, const char* bytes, std::size_t length);
  void end_word(TokenId*& out);
  void add_lone(const NormalizeTable::Entry& entry, const char* bytes, std::size_t length, TokenId*& out);
  std::u32string cleaned_token(const char*& at, const char* end);
  bool take_special_piece(const char*& at, const char* token, const char* end, TokenId*& out);
  void encode_in_context(const char*& at, const char* token, const char* end, TokenId*& out);

  NormalizeTable& normalize_;
  const KeyMasks& masks_;
  Normalization normalization_;
  WordPieces& pieces_;
  char word_[kMaxWordBytes + NormalizeTable::kMaxReplacementBytes + 4];
  std::size_t word_bytes_ = 0;
};

using Action = NormalizeTable::Action;

// A character of the text, or its replacement.
inline void UnicodeWords::add(const NormalizeTable::Entry& entry, const char* bytes, std::size_t length) {
  if (word_bytes_ > kMaxWordBytes) return;
  if (entry.is_replaced) {
    bytes = normalize_.replacement(entry);
    length = entry.length;
  }
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
  add(entry, bytes, length);
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
        add(entry, start, length);
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

constexpr std::size_t kWindowBytes = ByteClasses::kBytes;
// A key is loaded from anywhere in a window.
constexpr std::size_t kReadableBytes = kWindowBytes + WordKey::kBytes;

constexpr auto kIsBlank = [](char c) { return is_ascii_blank(c); };

std::uint64_t low_bits(std::size_t count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

std::size_t lowest(std::uint64_t bits) {
  return static_cast<std::size_t>(std::countr_zero(bits));
}

// How far the highest bit reaches: its index plus one, 0 if none.
std::size_t reach(std::uint64_t bits) {
  return static_cast<std::size_t>(std::bit_width(bits));
}

// Computes the ids of a span of text. Windows of 64 bytes, cut after their last white space, are split by bit masks;
// UnicodeWords handles tokens with an odd byte, special pieces and tokens longer than a window.
class Encoder {
 public:
  Encoder(const KeyMasks& masks, WordPieces& pieces, UnicodeWords& unicode_words)
      : masks_(masks), pieces_(pieces), unicode_words_(unicode_words) {}

  // `out` must have room for one id per byte and 4 more.
  TokenId* encode(std::string_view text, TokenId* out) {
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) at = encode_window(at, end, out);
    return out;
  }

 private:
  const char* encode_window(const char* at, const char* end, TokenId*& out) {
    const auto rest = static_cast<std::size_t>(end - at);
    const char* const window = rest >= kReadableBytes ? at : padded_copy(at, rest);
    const ByteClasses classes = classify(window);
    const std::size_t length = rest < kWindowBytes ? rest : reach(classes.spaces);
    if (length == 0) return unicode_words_.encode(at, end, out);
    std::uint64_t odd = classes.odd;
    if (classes.brackets != 0) odd |= special_pieces(classes.brackets & low_bits(length), at, end);
    odd &= low_bits(length);
    if (odd == 0) [[likely]] {
      encode_words(window, classes, length, out);
      return at + length;
    }
    const std::size_t token = reach(classes.spaces & low_bits(lowest(odd)));
    encode_words(window, classes, token, out);
    return unicode_words_.encode(at + token, end, out);
  }

  const char* padded_copy(const char* at, std::size_t rest) {
    std::memset(padded_, ' ', sizeof padded_);
    std::memcpy(padded_, at, std::min(rest, sizeof padded_));
    return padded_;
  }

  static std::uint64_t special_pieces(std::uint64_t brackets, const char* at, const char* end) {
    std::uint64_t found = 0;
    for (; brackets != 0; brackets &= brackets - 1) {
      const char* const bracket = at + lowest(brackets);
      const std::string_view text(bracket, static_cast<std::size_t>(end - bracket));
      if (starts_with_special_piece(text)) found |= brackets & (~brackets + 1);
    }
    return found;
  }

  // The words that start in the first `length` bytes, which have no odd ones.
  void encode_words(const char* window, const ByteClasses& classes, std::size_t length, TokenId*& out_end) {
    TokenId* out = out_end;
    const std::uint64_t letters = classes.letters;
    std::uint64_t starts = ((letters & ~(letters << 1)) | classes.punctuation()) & low_bits(length);
    for (; starts != 0; starts &= starts - 1) {
      const std::size_t start = lowest(starts);
      const std::size_t word_bytes = lowest(~(letters >> start));  // 0 for punctuation
      if (word_bytes <= WordKey::kBytes) [[likely]] {
        out = pieces_.encode(masks_.normalize_ascii(window + start, word_bytes), out);
      } else {
        out = encode_long_word({window + start, word_bytes}, out);
      }
    }
    out_end = out;
  }

  [[gnu::noinline]] TokenId* encode_long_word(std::string_view word, TokenId* out) {
    char normalized[kWindowBytes];
    for (std::size_t at = 0; at < word.size(); at += WordKey::kBytes) {
      const std::size_t length = std::min(word.size() - at, WordKey::kBytes);
      const WordKey key = masks_.normalize_ascii(word.data() + at, length);
      std::memcpy(normalized + at, &key.low, sizeof key.low);
      std::memcpy(normalized + at + sizeof key.low, &key.high, sizeof key.high);
    }
    return pieces_.encode(std::string_view(normalized, word.size()), out);
  }

  const KeyMasks& masks_;
  WordPieces& pieces_;
  UnicodeWords& unicode_words_;
  char padded_[kReadableBytes];
};

void encode_by(const SentenceTokenizer& custom, std::string_view sentence, std::size_t pieces,
               std::vector<TokenId>& ids) {
  const std::size_t before = ids.size();
  custom.encode(sentence, ids);
  if (ids.size() < before) throw FormatError("the tokenizer '" + custom.name() + "' removed ids of other sentences");
  for (std::size_t i = before; i < ids.size(); ++i) {
    if (ids[i] >= 0 && static_cast<std::size_t>(ids[i]) < pieces) continue;
    throw FormatError("the tokenizer '" + custom.name() + "' gave the token id " + std::to_string(ids[i]) +
                          ", the vocabulary has " + std::to_string(pieces) + " pieces",
                      {}, "give the vocabulary that the tokenizer was made with");
  }
}

// The front of `text` to encode at once, to bound the buffer: up to white space if there is any.
std::string_view front(std::string_view text) {
  constexpr std::size_t kBytes = 32768;
  if (text.size() <= kBytes) return text;
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const auto backward =
      std::find_if(std::make_reverse_iterator(begin + kBytes), std::make_reverse_iterator(begin), kIsBlank);
  if (backward.base() != begin) return text.substr(0, static_cast<std::size_t>(backward.base() - begin));
  return text.substr(0, static_cast<std::size_t>(std::find_if(begin + kBytes, end, kIsBlank) - begin));
}

}  // namespace

Tokenizer::Tokenizer(const Vocab& vocab, const TokenizerOptions& options)
    : Tokenizer(std::make_shared<const Tables>(vocab, options)) {}

Tokenizer::Tokenizer(std::shared_ptr<const Tables> tables)
    : tables_(std::move(tables)), cache_(std::make_unique<Cache>(tables_->normalization)) {}

Tokenizer::~Tokenizer() = default;
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;

Tokenizer Tokenizer::clone() const {
  return Tokenizer(tables_);
}

BERTPREP_CLONES
std::size_t Tokenizer::encode(std::string_view text, std::vector<TokenId>& ids) {
  constexpr std::size_t kSlack = 4;
  const std::size_t before = ids.size();
  if (tables_->custom != nullptr) {
    encode_by(*tables_->custom, text, tables_->pieces, ids);
    return ids.size() - before;
  }
  WordPieces pieces(tables_->trie, tables_->unk, cache_->words);
  UnicodeWords unicode_words(cache_->normalize, tables_->masks, tables_->normalization, pieces);
  Encoder encoder(tables_->masks, pieces, unicode_words);
  while (!text.empty()) {
    const std::string_view part = front(text);
    std::vector<TokenId>& out = cache_->out;
    if (out.size() < part.size() + kSlack) out.resize(part.size() + kSlack);
    const TokenId* const end = encoder.encode(part, out.data());
    ids.insert(ids.end(), std::as_const(out).data(), end);
    text.remove_prefix(part.size());
  }
  return ids.size() - before;
}

}  // namespace bertprep
