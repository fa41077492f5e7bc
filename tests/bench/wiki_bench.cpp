// Wiki markup to lines, as bytes of page text per second: the size in the dump, even for later stages. One thread. The
// pages are those of the dump in $BERTPREP_WIKI_DUMP (XML, unpacked), else of the shared golden data.
//
//   whole              ArticleExtractor::extract
//   stage/NAME         one stage on the output of earlier ones
//   stage/line filter  the last one
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "support/golden_data.h"
#include "twins/dump.h"
#include "wiki/article_extractor.h"
#include "wiki/markup/line_filter.h"

namespace {

using bertprep::test::PlainDump;

PlainDump read_dump() {
  const char* given = std::getenv("BERTPREP_WIKI_DUMP");
  if (given != nullptr) return bertprep::test::read_plain_dump(bertprep::test::read_bytes(given));
  const auto shared = bertprep::test::shared_folder();
  if (shared.empty()) return {};
  return bertprep::test::read_plain_dump(bertprep::test::read_maybe_xz(shared / "goldens" / "wiki" / "enwiki2016.xml"));
}

std::int64_t bytes_of(const PlainDump& dump) {
  std::size_t bytes = 0;
  for (const bertprep::WikiPage& page : dump.pages) bytes += page.text.size();
  return static_cast<std::int64_t>(bytes);
}

// The texts as input of the stage `name`, or to the line filter.
std::vector<std::string> texts_before(const PlainDump& dump, bertprep::StageTools& tools, std::string_view name) {
  std::vector<std::string> texts;
  for (const bertprep::WikiPage& page : dump.pages) {
    std::string text = page.text, next;
    for (const bertprep::ArticleStage& stage : bertprep::article_stages()) {
      if (stage.name == name) break;
      if (stage.run(tools, page, text, next) == bertprep::Rewrite::kChanged) text.swap(next);
    }
    texts.push_back(std::move(text));
  }
  return texts;
}

void run_whole(benchmark::State& state, const PlainDump& dump) {
  bertprep::ArticleExtractor extractor({}, std::make_shared<const bertprep::WikiSite>(dump.site), nullptr);
  std::string lines;
  for (auto _ : state) {
    for (const bertprep::WikiPage& page : dump.pages) {
      extractor.extract(page, lines);
      benchmark::DoNotOptimize(lines.data());
    }
  }
  state.SetBytesProcessed(state.iterations() * bytes_of(dump));
}

template <typename Stage>
void run_stage(benchmark::State& state, const PlainDump& dump, std::string_view name, Stage stage) {
  bertprep::StageTools tools({}, dump.site, nullptr);
  const std::vector<std::string> texts = texts_before(dump, tools, name);
  std::string out;
  for (auto _ : state) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      out.clear();
      stage(tools, dump.pages[i], texts[i], out);
      benchmark::DoNotOptimize(out.data());
    }
  }
  state.SetBytesProcessed(state.iterations() * bytes_of(dump));
}

}  // namespace

int main(int argc, char** argv) {
  PlainDump dump = read_dump();
  if (dump.pages.empty()) {
    std::puts("no pages: set BERTPREP_WIKI_DUMP to an unpacked dump");
    return 0;
  }
  dump.site.clock = "2020-07-22T12:00:00";
  benchmark::RegisterBenchmark("whole", [&](benchmark::State& state) { run_whole(state, dump); });
  for (const bertprep::ArticleStage& stage : bertprep::article_stages()) {
    benchmark::RegisterBenchmark(("stage/" + std::string(stage.name)).c_str(),
                                 [&](benchmark::State& state) { run_stage(state, dump, stage.name, stage.run); });
  }
  benchmark::RegisterBenchmark("stage/line filter", [&](benchmark::State& state) {
    run_stage(state, dump, "line filter",
              [](auto&, const auto&, std::string_view text, std::string& out) { bertprep::filter_lines(text, out); });
  });
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
