#include "token/bpe/byte_pair_files.h"

#include <algorithm>

#include "bertprep/base/error.h"
#include "io/json.h"

namespace bertprep {
namespace {

constexpr const char* kControlTokens[] = {"<|endoftext|>", "<s>", "<pad>", "</s>", "<unk>", "<mask>"};

void read_vocab(const NamedText& vocab, TokenIds& ids) {
  const Json json = Json::parse(vocab.bytes, vocab.where);
  if (json.kind() != Json::Kind::Object) throw FormatError("is not a JSON object", vocab.where);
  for (const auto& [token, id] : json.members()) {
    if (id.kind() != Json::Kind::Number) {
      throw FormatError("the id of '" + token + "' is not a number", vocab.where, "give {\"token\": id, ...}");
    }
    const std::uint64_t number = id.as_unsigned();
    if (number > 0x7FFFFFFF) throw FormatError("the id " + id.text() + " is too large", vocab.where);
    ids.add(token, static_cast<TokenId>(number), vocab.where);
  }
}

void read_merges(const NamedText& merges, const TokenIds& ids, std::vector<Merge>& out) {
  const std::string_view text = merges.bytes;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with("#version") || (line.empty() && begin >= text.size())) continue;
    const std::string where = merges.where + ":" + std::to_string(number);
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos || line.find(' ', blank + 1) != std::string_view::npos) {
      throw FormatError("is not two tokens with a blank between them", where, "give the merges.txt of a BPE tokenizer");
    }
    out.push_back(merge_of(std::string(line.substr(0, blank)), std::string(line.substr(blank + 1)), ids, where));
  }
}

}  // namespace

BytePairModel parse_vocab_and_merges(const NamedText& vocab, const NamedText& merges) {
  BytePairModel model;
  TokenIds ids;
  read_vocab(vocab, ids);
  read_merges(merges, ids, model.merges);
  model.vocab_entries = ids.size();
  model.tokens = ids.tokens();
  for (const char* token : kControlTokens) {
    const TokenId* id = ids.find(token);
    if (id == nullptr) continue;
    model.added.push_back({.id = *id,
                           .content = token,
                           .lstrip = std::string_view(token) == "<mask>",
                           .rstrip = false,
                           .normalized = true,
                           .special = true});
  }
  check_model(model, ids, vocab.where);
  return model;
}

}  // namespace bertprep
