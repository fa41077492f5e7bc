// Arbitrary bytes as a vocabulary: refused with a FormatError, or every piece is found under its number, also by the
// trie. Those that begin with "{" as tokenizer.json and tokenizer_config.json, too: refused, or a vocabulary has the
// same pieces.
#include <cstdint>
#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "bertprep/token/vocab.h"
#include "fuzz/fuzz_targets.h"
#include "token/huggingface/wordpiece_files.h"
#include "token/piece_trie.h"

namespace {

using namespace bertprep;

void check_vocab(const Vocab& vocab) {
  const PieceTrie trie(vocab);
  for (const TokenId id : vocab.ids()) {
    const std::string_view piece = vocab.piece(id);
    require(vocab.find(piece) == id);
    if (piece.empty()) continue;
    std::vector<TokenId> ids(piece.size());
    require(trie.encode(piece, ids.data()) == ids.data() + 1 && ids[0] == id);
  }
}

void check_json(std::string_view bytes) {
  const Json json = Json::parse(bytes, "fuzz");
  try {
    parse_wordpiece_config(json, "fuzz");
  } catch (const FormatError&) {
  }
  if (!is_wordpiece_json(json)) return;
  const std::vector<std::string> pieces = parse_wordpiece_json(json, "fuzz").pieces;
  std::string lines;
  for (const std::string& piece : pieces) lines += piece + "\n";
  const Vocab vocab = Vocab::parse(lines, "fuzz");
  require(vocab.size() == pieces.size());
  for (const TokenId id : vocab.ids()) require(vocab.piece(id) == pieces[static_cast<std::size_t>(id)]);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    if (bytes.starts_with('{')) {
      check_json(bytes);
    } else {
      check_vocab(Vocab::parse(bytes, "fuzz"));
    }
  } catch (const FormatError&) {
  }
  return 0;
}
