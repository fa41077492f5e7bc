// Punkt against its plain twin; the other splitters must give stripped, non-empty parts of the text in order.
#include <cstdint>

#include "bertprep/text/sentences.h"
#include "fuzz/fuzz_targets.h"
#include "support/small_punkt.h"
#include "twins/punkt.h"
#include "unicode/utf8_text.h"

namespace {

using bertprep::SentenceSplitter;

void require_parts_in_order(std::string_view text, const std::vector<std::string_view>& sentences) {
  const char* end = text.data();
  for (const auto sentence : sentences) {
    require(!sentence.empty() && bertprep::strip(sentence) == sentence, "a sentence is empty or not stripped");
    require(sentence.data() >= end, "sentences overlap");
    end = sentence.data() + sentence.size();
  }
  require(end <= text.data() + text.size(), "a sentence lies outside the text");
}

struct Splitters {
  bertprep::test::SmallPunkt parameters;
  bertprep::test::PlainPunkt plain{parameters.folder()};
  std::shared_ptr<const SentenceSplitter> punkt = bertprep::make_sentence_splitter(
      {.rules = bertprep::SentenceRules::kPunkt, .punkt = parameters.folder().string()});
  std::shared_ptr<const SentenceSplitter> icu =
      bertprep::make_sentence_splitter({.rules = bertprep::SentenceRules::kIcu});
  std::shared_ptr<const SentenceSplitter> lines =
      bertprep::make_sentence_splitter({.rules = bertprep::SentenceRules::kLines});
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Splitters splitters;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (bertprep::find_invalid_utf8(text)) return 0;
  std::vector<std::string_view> sentences;
  splitters.punkt->split(text, sentences);
  require(std::vector<std::string>(sentences.begin(), sentences.end()) == splitters.plain.sentences(text),
          "Punkt and its plain twin differ");
  for (const auto* splitter : {splitters.icu.get(), splitters.lines.get()}) {
    splitter->split(text, sentences);
    require_parts_in_order(text, sentences);
  }
  return 0;
}
