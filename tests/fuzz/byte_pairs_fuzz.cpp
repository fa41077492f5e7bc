// Arbitrary bytes as tokenizer.json, as vocab.json (up to the first NUL) with merges.txt behind it, and as text.
// A model is refused with FormatError or has the ids of the plain twin; text has those, too, by a model of the test.
#include <cstdint>
#include <cstdlib>

#include "bertprep/base/error.h"
#include "support/plain_byte_pairs.h"
#include "token/bpe/byte_letters.h"
#include "token/bpe/byte_pair_encoder.h"
#include "token/bpe/token_roles.h"
#include "token/bpe/tokenizer_json.h"
#include "token/bpe/vocab_merges.h"
#include "unicode/utf8_text.h"

namespace {

using namespace bertprep;

void check(const std::shared_ptr<const BytePairModel>& model, std::string_view text) {
  const test::PlainBytePairs twin(*model);
  for (const SpecialInText special : {SpecialInText::kText, SpecialInText::kControl}) {
    BytePairEncoder encoder(model, special);
    const std::vector<TokenId> expected = twin.encode(special, text);
    for (int times = 0; times < 2; ++times) {
      std::vector<TokenId> ids;
      encoder.encode(text, ids);
      if (ids != expected) std::abort();
    }
  }
}

// Few inputs spell all bytes of a vocabulary: "$BYTES" stands for them.
std::string with_bytes(std::string_view text) {
  static const std::string bytes = [] {
    std::string list;
    int id = 0;
    for (const std::string& letter : byte_letters()) {
      const std::string spelled = letter == "\"" || letter == "\\" ? "\\" + letter : letter;
      list += (id == 0 ? "\"" : ", \"") + spelled + "\": " + std::to_string(id);
      ++id;
    }
    return list;
  }();
  constexpr std::string_view kName = "$BYTES";
  std::string filled(text);
  const std::size_t at = filled.find(kName);
  if (at != std::string::npos) filled.replace(at, kName.size(), bytes);
  return filled;
}

template <class Read>
void read_and_check(const Read& read) {
  try {
    BytePairModel model = read();
    find_roles({}, "fuzz", model);
    check(std::make_shared<const BytePairModel>(std::move(model)), "a b  abab'll <e> \u00e9e\u0301\n\u3000 12.");
  } catch (const FormatError&) {
  }
}

const std::shared_ptr<const BytePairModel>& model_of_texts() {
  static const auto kModel = [] {
    BytePairModel model = test::make_byte_pairs(
        {"\u0120 t", "h e", "a b", "\u0120t he", "a a", "aa aa", "b a", ". .", "\u00c3 \u00a9", "aaaa aaaa", "' s"},
        {{.content = "<e>", .special = true},
         {.content = "<m>", .lstrip = true, .rstrip = true, .normalized = true},
         {.content = "  ", .normalized = true}});
    model.nfc = true;
    return std::make_shared<const BytePairModel>(std::move(model));
  }();
  return kModel;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (find_invalid_utf8(bytes)) return 0;
  check(model_of_texts(), bytes);
  read_and_check([&] { return parse_tokenizer_json(with_bytes(bytes), "fuzz"); });
  const std::size_t end = std::min(bytes.find('\0'), bytes.size());
  const std::string merges(bytes.substr(std::min(end + 1, bytes.size())));
  read_and_check([&] { return parse_vocab_and_merges({with_bytes(bytes.substr(0, end)), "v"}, {merges, "m"}); });
  return 0;
}
