#include "twins/byte_pairs.h"

#include <algorithm>
#include <optional>

#include "unicode/code_points.h"
#include "unicode/properties/mappings.h"
#include "unicode/properties/properties.h"

namespace bertprep::test {
namespace {

using unicode::LetterKind;

LetterKind kind_of(char32_t c) {
  static const unicode::LetterKinds kinds;
  return kinds[c];
}

// How many characters from `at` on are of the kind.
std::size_t run_of(LetterKind kind, std::u32string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && kind_of(text[end]) == kind) ++end;
  return end - at;
}

// The first alternative that matches, in characters.
std::size_t match_length(std::u32string_view text, std::size_t at) {
  for (const std::u32string_view contraction : {U"'s", U"'t", U"'re", U"'ve", U"'m", U"'ll", U"'d"}) {
    if (text.substr(at).starts_with(contraction)) return contraction.size();
  }
  const std::size_t blank = text[at] == U' ' ? 1 : 0;
  for (const LetterKind kind : {LetterKind::kLetter, LetterKind::kNumber, LetterKind::kOther}) {
    if (const std::size_t run = run_of(kind, text, at + blank); run > 0) return blank + run;
  }
  const std::size_t spaces = run_of(LetterKind::kSpace, text, at);
  return at + spaces < text.size() && spaces > 1 ? spaces - 1 : spaces;
}

std::string composed(std::string_view text) {
  static const unicode::Composition composition;
  std::string result;
  composition.compose(text, result);
  return result;
}

struct Part {
  std::string text;
  std::optional<TokenId> id;
};

bool is_space(char32_t c) {
  return kind_of(c) == LetterKind::kSpace;
}

// HuggingFace's rules for added tokens, found by experiments with its library.
std::vector<Part> split_at_added(const BytePairModel& model, bool normalized, SpecialInText special,
                                 std::string_view text) {
  std::vector<Part> parts;
  std::size_t done = 0;
  for (std::size_t at = 0; at < text.size();) {
    const AddedToken* best = nullptr;
    std::size_t best_bytes = 0;
    for (const AddedToken& token : model.added) {
      if (token.normalized != normalized) continue;
      const std::string content = normalized && model.nfc ? composed(token.content) : token.content;
      if (!text.substr(at).starts_with(content) || content.size() <= best_bytes) continue;
      best = &token;
      best_bytes = content.size();
    }
    if (best == nullptr) {
      ++at;
      continue;
    }
    std::size_t begin = at, end = at + best_bytes;
    at = end;
    if (best->special && special == SpecialInText::kText) continue;
    const std::u32string before = unicode::decode(text.substr(0, begin)), behind = unicode::decode(text.substr(end));
    if (best->lstrip) {
      const auto kept = std::find_if_not(before.rbegin(), before.rend(), is_space).base();
      begin = std::max(done, unicode::encode({before.begin(), kept}).size());
    }
    if (best->rstrip) {
      const auto kept = std::find_if_not(behind.begin(), behind.end(), is_space);
      end += unicode::encode({behind.begin(), kept}).size();
    }
    if (done < begin) parts.push_back({std::string(text.substr(done, begin - done)), {}});
    parts.push_back({{}, best->id});
    done = end;
  }
  if (done < text.size()) parts.push_back({std::string(text.substr(done)), {}});
  return parts;
}

}  // namespace

std::vector<std::string> plain_pre_tokens(std::string_view text) {
  const std::u32string characters = unicode::decode(text);
  std::vector<std::string> words;
  for (std::size_t at = 0; at < characters.size();) {
    const std::size_t length = match_length(characters, at);
    words.push_back(unicode::encode(std::u32string_view(characters).substr(at, length)));
    at += length;
  }
  return words;
}

PlainBytePairs::PlainBytePairs(const BytePairModel& model) : model_(model) {
  for (std::size_t id = 0; id < model.tokens.size(); ++id) {
    ids_.try_emplace(model.tokens[id], static_cast<TokenId>(id));
  }
  for (const Merge& merge : model.merges) ranks_.try_emplace({merge.left, merge.right}, ranks_.size());
}

std::vector<TokenId> PlainBytePairs::merged(std::string_view word) const {
  const auto letters = byte_letters();
  std::vector<TokenId> ids;
  for (const char byte : word) ids.push_back(ids_.at(letters[static_cast<unsigned char>(byte)]));
  while (true) {
    std::size_t best = model_.merges.size(), best_at = 0;
    for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
      const auto found = ranks_.find({ids[i], ids[i + 1]});
      if (found == ranks_.end() || found->second >= best) continue;
      best = found->second;
      best_at = i;
    }
    if (best == model_.merges.size()) return ids;
    ids[best_at] = model_.merges[best].merged;
    ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(best_at) + 1);
  }
}

void PlainBytePairs::append_words(std::string text, std::vector<TokenId>& ids) const {
  if (model_.add_prefix_space && !text.starts_with(' ')) text = " " + text;
  for (const std::string& word : plain_pre_tokens(text)) {
    for (const TokenId id : merged(word)) ids.push_back(id);
  }
}

std::vector<TokenId> PlainBytePairs::encode(SpecialInText special, std::string_view text) const {
  std::vector<TokenId> ids;
  for (const Part& part : split_at_added(model_, false, special, text)) {
    if (part.id) {
      ids.push_back(*part.id);
      continue;
    }
    const std::string normal = model_.nfc ? composed(part.text) : part.text;
    for (const Part& inner : split_at_added(model_, true, special, normal)) {
      if (inner.id) {
        ids.push_back(*inner.id);
      } else {
        append_words(inner.text, ids);
      }
    }
  }
  return ids;
}

BytePairModel make_byte_pairs(const std::vector<std::string>& merges, std::vector<AddedToken> added) {
  BytePairModel model;
  TokenIds ids;
  const auto add = [&](const std::string& token) {
    ids.add(token, static_cast<TokenId>(ids.size()), "a model of a test");
  };
  for (const std::string& letter : byte_letters()) add(letter);
  for (const std::string& merge : merges) {
    const std::size_t blank = merge.find(' ');
    const std::string left = merge.substr(0, blank), right = merge.substr(blank + 1);
    if (ids.find(left + right) == nullptr) add(left + right);
    model.merges.push_back(merge_of(left, right, ids, "a model of a test"));
  }
  model.vocab_entries = ids.size();
  for (AddedToken& token : added) {
    token.id = static_cast<TokenId>(ids.size());
    add(token.content);
  }
  model.added = std::move(added);
  model.tokens = ids.tokens();
  check_model(model, ids, "a model of a test");
  return model;
}

}  // namespace bertprep::test
