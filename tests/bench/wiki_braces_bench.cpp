// The brace stage of wiki markup, as bytes of page text per second. One thread.
//
//   expand/english       106 long articles of the English Wikipedia, no definitions: {{...}} -> magic words and nothing
//   expand/latgalian     a whole small wiki, no definitions
//   expand/templates     the same with its own definitions (--templates)
//   expand/prose         English articles without their braces: the cost of the search alone
//   spans/english        finding the outermost {{...}} only
//   copy/english         the floor: copying the text
//
// The dumps are in $BERTPREP_SHARED, by default ../shared beside the checkout; without them nothing is measured.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>

#include "support/golden_data.h"
#include "twins/dump.h"
#include "wiki/templates/template_expansion.h"
#include "wiki/templates/template_store.h"

namespace bertprep {
namespace {

using Pages = std::vector<WikiPage>;

struct Wiki {
  explicit Wiki(const std::string& name)
      : dump(test::read_plain_dump(test::read_maybe_xz(test::shared_folder() / "goldens" / "wiki" / (name + ".xml")))) {
    for (const auto& [namespace_key, page] : dump.templates) templates.define(page.title, page.text);
    prose = dump.pages;
    for (WikiPage& page : prose) {
      std::erase_if(page.text, [](char c) { return std::string_view("{}[]").find(c) != std::string_view::npos; });
    }
  }
  test::PlainDump dump;
  TemplateStore templates;
  Pages prose;
};

void count_bytes(benchmark::State& state, const Pages& pages) {
  std::size_t bytes = 0;
  for (const WikiPage& page : pages) bytes += page.text.size();
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}

void expand(benchmark::State& state, const WikiSite& site, const Pages& pages, const TemplateStore* templates) {
  TemplateExpander expander(site, templates);
  std::string out;
  for (auto _ : state) {
    for (const WikiPage& page : pages) benchmark::DoNotOptimize(expander.expand(page.text, page, out));
  }
  count_bytes(state, pages);
}

void find_spans(benchmark::State& state, const Pages& pages) {
  BraceStack stack;
  std::size_t spans = 0;
  for (auto _ : state) {
    for (const WikiPage& page : pages) {
      BraceMatcher<BraceKind::kTemplates> matcher(page.text, stack);
      while (matcher.next()) ++spans;
    }
  }
  benchmark::DoNotOptimize(spans);
  count_bytes(state, pages);
}

void copy(benchmark::State& state, const Pages& pages) {
  std::string out;
  for (auto _ : state) {
    for (const WikiPage& page : pages) benchmark::DoNotOptimize(out.assign(page.text).data());
  }
  count_bytes(state, pages);
}

void add_all() {
  const auto english = std::make_shared<const Wiki>("enwiki2016");
  const auto latgalian = std::make_shared<const Wiki>("ltgwiki");
  const auto add = [](const char* name, auto measure) { benchmark::RegisterBenchmark(name, measure); };
  add("expand/english",
      [=](benchmark::State& state) { expand(state, english->dump.site, english->dump.pages, nullptr); });
  add("expand/latgalian",
      [=](benchmark::State& state) { expand(state, latgalian->dump.site, latgalian->dump.pages, nullptr); });
  add("expand/templates", [=](benchmark::State& state) {
    expand(state, latgalian->dump.site, latgalian->dump.pages, &latgalian->templates);
  });
  add("expand/prose", [=](benchmark::State& state) { expand(state, english->dump.site, english->prose, nullptr); });
  add("spans/english", [=](benchmark::State& state) { find_spans(state, english->dump.pages); });
  add("copy/english", [=](benchmark::State& state) { copy(state, english->dump.pages); });
}

}  // namespace
}  // namespace bertprep

int main(int argc, char** argv) {
  if (!bertprep::test::shared_folder().empty()) bertprep::add_all();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
