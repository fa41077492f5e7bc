#include "token/token_spelling.h"

#include "token/bpe/byte_pair_model.h"

namespace bertprep {
namespace {

std::unordered_map<std::string, char> bytes_of_letters() {
  std::unordered_map<std::string, char> bytes;
  const auto letters = byte_letters();
  for (std::size_t byte = 0; byte < letters.size(); ++byte) bytes.emplace(letters[byte], static_cast<char>(byte));
  return bytes;
}

// A letter is U+0143 at most: one or two bytes of UTF-8.
std::string spelled(std::string_view token, const std::unordered_map<std::string, char>& bytes) {
  std::string text;
  while (!token.empty()) {
    const std::string letter(token.substr(0, static_cast<unsigned char>(token.front()) < 0x80 ? 1 : 2));
    const auto byte = bytes.find(letter);
    if (byte == bytes.end()) return text.append(token);
    text += byte->second;
    token.remove_prefix(letter.size());
  }
  return text;
}

}  // namespace

std::optional<TokenSpelling> TokenSpelling::of(const TextEncoder& encoder) {
  const BytePairModel* model = encoder.byte_pairs();
  if (model == nullptr) return std::nullopt;
  const auto bytes = bytes_of_letters();
  TokenSpelling spelling;
  spelling.controls_.resize(model->tokens.size());
  for (const std::string& token : model->tokens) spelling.tokens_.push_back(spelled(token, bytes));
  for (const AddedToken& added : model->added) {
    spelling.tokens_[static_cast<std::size_t>(added.id)] = added.content;
    spelling.controls_[static_cast<std::size_t>(added.id)] = added.special;
  }
  return spelling;
}

std::string TokenSpelling::bytes(std::int64_t id) const {
  if (has(id) && !tokens_[static_cast<std::size_t>(id)].empty()) return tokens_[static_cast<std::size_t>(id)];
  return "<" + std::to_string(id) + ">";
}

bool TokenSpelling::is_control(std::int64_t id) const {
  return has(id) && controls_[static_cast<std::size_t>(id)];
}

}  // namespace bertprep
