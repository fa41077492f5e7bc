#include "token/bpe/added_tokens.h"

#include <algorithm>

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

}  // namespace bertprep
