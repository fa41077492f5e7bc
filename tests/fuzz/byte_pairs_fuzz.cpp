// Bytes that begin with "{" as tokenizer.json, and as vocab.json (up to the first NUL) with merges.txt after it: such
// a model is refused with FormatError, or has the ids of the plain twin. Other bytes as text, by a model of the test:
// the ids of the twin, too.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "bertprep/base/error.h"
#include "token/bpe/byte_pair_encoder.h"
#include "token/bpe/byte_pair_files.h"
#include "twins/byte_pairs.h"
#include "unicode/utf8_text.h"

namespace {

using namespace bertprep;

void check_encoder(BytePairEncoder& encoder, const test::PlainBytePairs& twin, SpecialInText special,
                   std::string_view text) {
  const std::vector<TokenId> expected = twin.encode(special, text);
  for (int times = 0; times < 2; ++times) {
    std::vector<TokenId> ids;
    encoder.encode(text, ids);
    if (ids != expected) std::abort();
  }
}

// Few inputs have all bytes of a vocabulary: "$BYTES" represents them.
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
    const auto shared = std::make_shared<const BytePairModel>(std::move(model));
    BytePairEncoder encoder(shared, SpecialInText::kControl);
    check_encoder(encoder, test::PlainBytePairs(*shared), SpecialInText::kControl,
                  "a b  abab'll <e> \u00e9e\u0301\n\u3000 12.");
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

void check_text(std::string_view text) {
  static const test::PlainBytePairs kTwin(*model_of_texts());
  static BytePairEncoder plain(model_of_texts(), SpecialInText::kText);
  static BytePairEncoder controlled(model_of_texts(), SpecialInText::kControl);
  check_encoder(plain, kTwin, SpecialInText::kText, text);
  check_encoder(controlled, kTwin, SpecialInText::kControl, text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (find_invalid_utf8(bytes)) return 0;
  if (!bytes.starts_with('{')) {
    check_text(bytes);
    return 0;
  }
  read_and_check([&] { return parse_tokenizer_json(with_bytes(bytes), "fuzz"); });
  const std::size_t end = std::min(bytes.find('\0'), bytes.size());
  const std::string merges(bytes.substr(std::min(end + 1, bytes.size())));
  read_and_check([&] { return parse_vocab_and_merges({with_bytes(bytes.substr(0, end)), "v"}, {merges, "m"}); });
  return 0;
}
