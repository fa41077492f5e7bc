// Any text as a page: every stage keeps it valid UTF-8 and within a multiple of its length, short plain text gives the
// same as the plain twin, and the whole extractor ends.
//
// The first byte selects: a stage, or beyond them the extractor. From 128 on, two bytes choose a page of the shared
// golden data, two a position in it, where the rest is inserted.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/fuzz_targets.h"
#include "support/golden_data.h"
#include "twins/dump.h"
#include "twins/markup.h"
#include "unicode/utf8_text.h"
#include "wiki/article_extractor.h"

namespace {

namespace plain = bertprep::test::plain_markup;

std::vector<std::string> golden_texts() {
  const auto shared = bertprep::test::shared_folder();
  if (shared.empty()) return {"No golden data.\n"};
  std::vector<std::string> texts;
  for (const char* name : {"fuzz.xml", "enwiki2017-tables.xml"}) {
    // Some of them: a fuzzer waits only seconds for one input.
    const auto xml = bertprep::test::read_maybe_xz(shared / "goldens" / "wiki" / name).substr(0, 300'000);
    for (auto& page : bertprep::test::read_plain_dump(xml).pages) texts.push_back(std::move(page.text));
  }
  return texts;
}

std::string text_of(std::string_view bytes, bool in_golden_page) {
  if (!in_golden_page || bytes.size() < 4) return std::string(bytes);
  static const std::vector<std::string> kTexts = golden_texts();
  const auto number = [&](std::size_t at) {
    return static_cast<std::size_t>(static_cast<unsigned char>(bytes[at])) << 8 |
           static_cast<unsigned char>(bytes[at + 1]);
  };
  std::string text = kTexts[number(0) % kTexts.size()];
  std::size_t place = number(2) % (text.size() + 1);
  while (place < text.size() && (static_cast<unsigned char>(text[place]) & 0xC0) == 0x80) ++place;
  return text.insert(place, bytes.substr(4));
}

// Text that the plain twin can read: blanks and letters of ASCII, and not so long that regular expressions recurse too
// deeply.
bool is_plain(std::string_view text) {
  return text.size() <= 200 &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\t'; });
}

std::string plain_twin(std::string_view stage, const std::string& text) {
  static const std::map<std::string_view, std::function<std::string(const std::string&)>> kTwins{
      {"braces", plain::drop_templates},
      {"tables", plain::drop_tables},
      {"quotes", plain::replace_quotes},
      {"internal links", plain::replace_internal_links},
      {"external links", plain::replace_external_links},
      {"switches", plain::drop_switches},
      {"spans", plain::drop_spans},
      {"elements", plain::drop_elements},
      {"placeholders", plain::replace_placeholders},
      {"runs", plain::shorten_runs},
      {"brackets", plain::close_up_brackets},
      {"nonword lines", plain::drop_nonword_lines},
      {"commas", plain::shorten_commas},
  };
  const auto found = kTwins.find(stage);
  return found == kTwins.end() ? std::string() : found->second(text);
}

void check_stage(const bertprep::ArticleStage& stage, const std::string& text) {
  static const bertprep::WikiSite kSite;
  static bertprep::StageTools tools({}, kSite, nullptr);
  bertprep::WikiPage page;
  page.title = "A:B/C";
  std::string out;
  const bertprep::Rewrite rewrite = stage.run(tools, page, text, out);
  if (rewrite == bertprep::Rewrite::kGivenUp) return;
  if (rewrite == bertprep::Rewrite::kUnchanged) out = text;
  require(!bertprep::find_invalid_utf8(out));
  const std::string expected = is_plain(text) ? plain_twin(stage.name, text) : "";
  require(expected.empty() || out == expected);
}

void check_page(const std::string& text) {
  static const auto kSite = std::make_shared<const bertprep::WikiSite>();
  static bertprep::ArticleExtractor extractor({}, kSite, nullptr);
  bertprep::WikiPage page;
  page.text = text;
  std::string lines;
  const auto rejection = extractor.extract(page, lines);
  require(!rejection || lines.empty());
  require(lines.empty() || lines.back() == '\n');
  require(!bertprep::find_invalid_utf8(lines));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string text = text_of(bytes, data[0] >= 128);
  if (bertprep::find_invalid_utf8(text)) return 0;
  const auto stages = bertprep::article_stages();
  const std::size_t selected = data[0] % 32;
  if (selected < stages.size()) check_stage(stages[selected], text);
  if (selected >= stages.size()) check_page(text);
  return 0;
}
