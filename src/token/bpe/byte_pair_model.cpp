#include "token/bpe/byte_pair_model.h"

#include <set>

#include "bertprep/base/error.h"
#include "unicode/code_points.h"

namespace bertprep {
namespace {

// As in other vocabularies.
constexpr TokenId kMaxTokens = TokenId{1} << 20;

// GPT-NeoX has no tokens for bytes that don't occur.
bool occurs_in_utf8(std::size_t byte) {
  return byte != 0xC0 && byte != 0xC1 && byte < 0xF5;
}

}  // namespace

std::array<std::string, 256> byte_letters() {
  std::array<std::string, 256> letters;
  char32_t next = 0x100;
  for (char32_t byte = 0; byte < 256; ++byte) {
    const bool is_printable = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
    unicode::append_utf8(is_printable ? byte : next, letters[byte]);
    if (!is_printable) ++next;
  }
  return letters;
}

void TokenIds::add(const std::string& token, TokenId id, const std::string& where) {
  if (id < 0 || id >= kMaxTokens) {
    throw FormatError("token '" + token + "' has the id " + std::to_string(id) + ", and ids are less than " +
                          std::to_string(kMaxTokens),
                      where);
  }
  if (!by_token_.emplace(token, id).second) throw FormatError("token '" + token + "' occurs twice", where);
  const auto index = static_cast<std::size_t>(id);
  if (by_id_.size() <= index) by_id_.resize(index + 1);
  if (!by_id_[index].empty()) {
    throw FormatError("tokens '" + by_id_[index] + "' and '" + token + "' have the same id " + std::to_string(id),
                      where);
  }
  if (token.empty()) throw FormatError("the token with id " + std::to_string(id) + " is empty", where);
  by_id_[index] = token;
}

const TokenId* TokenIds::find(const std::string& token) const {
  const auto found = by_token_.find(token);
  return found == by_token_.end() ? nullptr : &found->second;
}

Merge merge_of(const std::string& left, const std::string& right, const TokenIds& ids, const std::string& where) {
  const auto id_of = [&](const std::string& token) {
    const TokenId* id = ids.find(token);
    if (id != nullptr) return *id;
    throw FormatError("merges '" + left + "' and '" + right + "', but the vocabulary has no token '" + token + "'",
                      where, "give the vocabulary and the merges of one tokenizer");
  };
  return {id_of(left), id_of(right), id_of(left + right)};
}

void check_model(const BytePairModel& model, const TokenIds& ids, const std::string& where) {
  const auto letters = byte_letters();
  for (std::size_t byte = 0; byte < letters.size(); ++byte) {
    if (!occurs_in_utf8(byte) || ids.find(letters[byte]) != nullptr) continue;
    throw FormatError("the vocabulary has no token '" + letters[byte] + "'", where,
                      "a byte-level BPE vocabulary has a token for each byte of UTF-8");
  }
  std::set<std::pair<TokenId, TokenId>> pairs;
  for (const Merge& merge : model.merges) {
    if (pairs.emplace(merge.left, merge.right).second) continue;
    throw FormatError("'" + model.tokens[static_cast<std::size_t>(merge.left)] + "' and '" +
                          model.tokens[static_cast<std::size_t>(merge.right)] + "' are merged twice",
                      where);
  }
}

}  // namespace bertprep
