#include "token/bpe/byte_pair_encoder.h"

#include <algorithm>

#include "token/bpe/pre_tokens.h"
#include "unicode/properties/mappings.h"

namespace bertprep {

AddedTokens::AddedTokens(std::vector<AddedToken> tokens) : tokens_(std::move(tokens)) {
  std::stable_sort(tokens_.begin(), tokens_.end(), [](const AddedToken& left, const AddedToken& right) {
    if (left.content[0] != right.content[0]) return left.content[0] < right.content[0];
    return left.content.size() > right.content.size();
  });
  for (const AddedToken& token : tokens_) {
    if (token.content.size() > 1) {
      beginnings_.set(pair_of(token.content[0], token.content[1]));
    } else {
      for (int second = 0; second < 256; ++second) {
        beginnings_.set(pair_of(token.content[0], static_cast<char>(second)));
      }
    }
  }
}

const AddedToken* AddedTokens::longest_at(std::string_view text, std::size_t at) const {
  const std::string_view rest = text.substr(at);
  const auto of_first =
      std::partition_point(tokens_.begin(), tokens_.end(), [&](const auto& one) { return one.content[0] < rest[0]; });
  for (auto token = of_first; token != tokens_.end() && token->content[0] == rest[0]; ++token) {
    if (rest.starts_with(token->content)) return &*token;
  }
  return nullptr;
}

AddedTokens::Place AddedTokens::find(std::string_view text, std::size_t from) const {
  if (tokens_.empty()) return {};
  for (std::size_t at = from; at < text.size(); ++at) {
    if (at + 1 < text.size() && !beginnings_[pair_of(text[at], text[at + 1])]) continue;
    if (const AddedToken* token = longest_at(text, at)) return {at, token};
  }
  return {};
}

struct BytePairEncoder::Tables {
  Tables(std::shared_ptr<const BytePairModel> of, SpecialInText special)
      : model(std::move(of)), special_in_text(special), merges(model->merges) {
    const auto letters = byte_letters();
    for (std::size_t byte = 0; byte < letters.size(); ++byte) {
      const auto token = std::find(model->tokens.begin(), model->tokens.end(), letters[byte]);
      byte_ids[byte] = static_cast<TokenId>(token - model->tokens.begin());
    }
    std::vector<AddedToken> in_raw, in_normalized;
    for (AddedToken token : model->added) {
      if (!token.normalized) {
        in_raw.push_back(std::move(token));
        continue;
      }
      if (model->nfc) {
        const std::string content = token.content;
        composition.compose(content, token.content);
      }
      in_normalized.push_back(std::move(token));
    }
    raw_tokens = AddedTokens(std::move(in_raw));
    normalized_tokens = AddedTokens(std::move(in_normalized));
  }

  // The start of the white space that ends at `end`.
  std::size_t spaces_before(std::string_view text, std::size_t end) const {
    while (end > 0) {
      const char* at = text.data() + end;
      if (words.kind_of(unicode::previous_code_point(at)) != unicode::LetterKind::kSpace) break;
      end = static_cast<std::size_t>(at - text.data());
    }
    return end;
  }
  std::size_t spaces_after(std::string_view text, std::size_t begin) const {
    while (begin < text.size()) {
      const char* at = text.data() + begin;
      if (words.kind_of(unicode::next_code_point(at)) != unicode::LetterKind::kSpace) break;
      begin = static_cast<std::size_t>(at - text.data());
    }
    return begin;
  }

  // Calls on_text() and on_token() with the parts of `text`, in order.
  template <class OnText, class OnToken>
  void split(std::string_view text, const AddedTokens& tokens, const OnText& on_text, const OnToken& on_token) const {
    std::size_t done = 0;
    for (std::size_t from = 0;;) {
      const AddedTokens::Place place = tokens.find(text, from);
      if (place.token == nullptr) break;
      // A control token in the text is skipped whole, as HuggingFace's encode_special_tokens does.
      from = place.begin + place.token->content.size();
      if (place.token->special && special_in_text == SpecialInText::kText) continue;
      std::size_t begin = place.begin;
      if (place.token->lstrip) begin = std::max(spaces_before(text, begin), done);
      if (done < begin) on_text(text.substr(done, begin - done));
      on_token(place.token->id);
      done = place.token->rstrip ? spaces_after(text, from) : from;
    }
    if (done < text.size()) on_text(text.substr(done));
  }

  std::shared_ptr<const BytePairModel> model;
  SpecialInText special_in_text;
  MergeTable merges;
  std::array<TokenId, 256> byte_ids{};
  PreTokens words;
  unicode::Composition composition;
  AddedTokens raw_tokens;
  AddedTokens normalized_tokens;
};

BytePairEncoder::BytePairEncoder(std::shared_ptr<const BytePairModel> model, SpecialInText special_in_text)
    : BytePairEncoder(std::make_shared<const Tables>(std::move(model), special_in_text)) {}

BytePairEncoder::BytePairEncoder(std::shared_ptr<const Tables> tables)
    : tables_(std::move(tables)), merger_(tables_->merges, tables_->byte_ids), out_(std::size_t{1} << 14) {}

const BytePairModel& BytePairEncoder::model() const {
  return *tables_->model;
}

void BytePairEncoder::encode(std::string_view text, std::vector<TokenId>& ids) {
  ids_ = &ids;
  used_ = 0;
  tables_->split(
      text, tables_->raw_tokens, [this](std::string_view part) { encode_normalized(part); },
      [this](TokenId id) { add_id(id); });
  ids.insert(ids.end(), out_.data(), out_.data() + used_);
}

// Room in out_ for `ids` more and the excess that a cache writes.
TokenId* BytePairEncoder::room_for(std::size_t ids) {
  constexpr std::size_t kSlack = decltype(long_words_)::kIds;
  if (out_.size() - used_ < ids + kSlack) {
    ids_->insert(ids_->end(), out_.data(), out_.data() + used_);
    used_ = 0;
    if (out_.size() < ids + kSlack) out_.resize(ids + kSlack);
  }
  return out_.data() + used_;
}

void BytePairEncoder::add_id(TokenId id) {
  *room_for(1) = id;
  ++used_;
}

void BytePairEncoder::encode_normalized(std::string_view text) {
  if (tables_->model->nfc && !unicode::Composition::is_plain(text)) {
    tables_->composition.compose(text, normalized_);
    text = normalized_;
  }
  tables_->split(
      text, tables_->normalized_tokens, [this](std::string_view part) { encode_words(part); },
      [this](TokenId id) { add_id(id); });
}

void BytePairEncoder::encode_words(std::string_view text) {
  if (tables_->model->add_prefix_space && !text.starts_with(' ')) {
    prefixed_ = " ";
    prefixed_ += text;
    text = prefixed_;
  }
  const PreTokens& words = tables_->words;
  const char* at = text.data();
  const char* const end = at + text.size();
  TokenId* out = room_for(0);
  const TokenId* limit = out_.data() + out_.size();
  while (at != end) {
    const char* const word_end = words.end_of_word(at, end);
    const auto length = static_cast<std::size_t>(word_end - at);
    if (static_cast<std::size_t>(limit - out) < length + decltype(long_words_)::kIds) {
      used_ = static_cast<std::size_t>(out - out_.data());
      out = room_for(length);
      limit = out_.data() + out_.size();
    }
    out = encode_word(at, length, end, out);
    at = word_end;
  }
  used_ = static_cast<std::size_t>(out - out_.data());
}

inline TokenId* BytePairEncoder::encode_word(const char* at, std::size_t length, const char* readable_end,
                                             TokenId* out) {
  using ShortKey = decltype(short_words_)::Key;
  if (length <= ShortKey::kMaxBytes && readable_end - at >= static_cast<std::ptrdiff_t>(sizeof(ShortKey))) [[likely]] {
    const ShortKey key = ShortKey::cut(at, length);
    if (TokenId* const found = short_words_.find(key, out); found != nullptr) [[likely]]
      return found;
    TokenId* const end = merge_word({at, length}, out);
    if (static_cast<std::size_t>(end - out) <= decltype(short_words_)::kIds) short_words_.insert(key, {out, end});
    return end;
  }
  return merge_word({at, length}, out);
}

// For a word that is not in the short ones' cache.
[[gnu::noinline]] TokenId* BytePairEncoder::merge_word(std::string_view word, TokenId* out) {
  using LongKey = decltype(long_words_)::Key;
  if (word.size() > LongKey::kMaxBytes) return merger_.encode(word, out);
  char padded[sizeof(LongKey)] = {};
  std::copy(word.begin(), word.end(), padded);
  const LongKey key = LongKey::cut(padded, word.size());
  if (TokenId* const found = long_words_.find(key, out)) return found;
  TokenId* const end = merger_.encode(word, out);
  if (static_cast<std::size_t>(end - out) <= decltype(long_words_)::kIds) long_words_.insert(key, {out, end});
  return end;
}

}  // namespace bertprep
