// Arbitrary text: braces are found as by the plain twin, and expansion ends, also with definitions made of the text
// itself.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/fuzz_targets.h"
#include "twins/braces.h"
#include "unicode/utf8_text.h"
#include "wiki/templates/braces.h"
#include "wiki/templates/template_expansion.h"
#include "wiki/templates/template_store.h"

namespace {

using bertprep::BraceKind;

template <BraceKind kKind>
void check_spans(std::string_view text, long smallest) {
  bertprep::BraceStack stack;
  bertprep::BraceMatcher<kKind> matcher(text, stack);
  for (const auto& [begin, end] : bertprep::test::plain_brace_spans(text, smallest)) {
    require(matcher.next() == bertprep::BraceSpan{begin, end});
  }
  require(!matcher.next());
}

void check_parts(std::string_view text) {
  bertprep::BraceStack stack;
  const auto parts = bertprep::all_parts(text, stack);
  const auto plain = bertprep::test::plain_brace_parts(text);
  require(std::vector<std::string>(parts.begin(), parts.end()) == plain);
  require(bertprep::first_part(text, stack) == plain.front());
}

bertprep::WikiSite a_site() {
  bertprep::WikiSite site;
  site.clock = "2020-07-22T12:00:00";
  return site;
}

bertprep::WikiPage a_page() {
  bertprep::WikiPage page;
  page.title = "A:B/C";
  return page;
}

void check_expansion(std::string_view text) {
  const auto site = a_site();
  bertprep::TemplateExpander expander(site, nullptr);
  std::string out;
  require(expander.expand(text, a_page(), out) || out.empty());
  require(!bertprep::find_invalid_utf8(out));
}

// With a lower budget of work: recursive templates would use all of it.
void check_templates(std::string_view text, const bertprep::TemplateStore& templates) {
  const auto site = a_site();
  const auto page = a_page();
  bertprep::BraceStack stack;
  bertprep::WorkBudget budget(std::size_t{1} << 17);
  std::string out;
  bertprep::BraceExpansion(site, &templates, page, stack, budget).expand(text, out);
  require(!bertprep::find_invalid_utf8(out));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_spans<BraceKind::kTemplates>(bytes, 2);
  check_spans<BraceKind::kArguments>(bytes, 3);
  check_spans<BraceKind::kParts>(bytes, 0);
  check_parts(bytes);
  if (bertprep::find_invalid_utf8(bytes)) return 0;
  check_expansion(bytes);
  // The lines of the text become the templates A, B, C ...
  static const bertprep::TemplateStore kEmpty;
  bertprep::TemplateStore store = kEmpty;
  std::string_view rest = bytes;
  for (char name = 'A'; name <= 'Z' && !rest.empty(); ++name) {
    const auto line = rest.substr(0, rest.find('\n'));
    store.define(std::string("Template:") + name, line);
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  check_templates(bytes, store);
  return 0;
}
