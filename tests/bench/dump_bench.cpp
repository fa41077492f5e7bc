// How fast the pages of a dump are found, as bytes of XML per second on one core; the dump is in memory.
//
//   scan     PageScanner over blocks of 900 kB: the work before extraction
//
// The dump is `ltgwiki-full` of $BERTPREP_SHARED/corpora, or a generated one.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "io/input_file.h"
#include "wiki/dump/page_scanner.h"

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlockBytes = 900'000;

std::string dump() {
  const char* shared = std::getenv("BERTPREP_SHARED");
  const fs::path folder = fs::path(shared != nullptr ? shared : "../shared") / "corpora" / "wikidump";
  if (fs::exists(folder / "ltgwiki-full.xml")) return bertprep::read_file(folder / "ltgwiki-full.xml");
  std::string xml = "<mediawiki version=\"0.11\">\n<siteinfo>\n</siteinfo>\n";
  for (int i = 0; i < 2000; ++i) {
    xml += "  <page>\n    <title>T</title>\n    <ns>0</ns>\n    <id>" + std::to_string(i) + "</id>\n    <text>";
    for (int j = 0; j < 20; ++j) xml += "The river rises in the hills, and flows south.\n";
    xml += "</text>\n  </page>\n";
  }
  return xml + "</mediawiki>\n";
}

class Blocks final : public bertprep::ByteStream {
 public:
  explicit Blocks(std::string_view bytes) : rest_(bytes) {}
  std::string_view next_block() override {
    const std::string_view block = rest_.substr(0, kBlockBytes);
    rest_.remove_prefix(block.size());
    return block;
  }

 private:
  std::string_view rest_;
};

void scan(benchmark::State& state) {
  const std::string xml = dump();
  for (auto step : state) {
    bertprep::PageScanner scanner("x", std::make_unique<Blocks>(xml), [](const auto&, const auto&, auto) {});
    std::size_t bytes = 0;
    for (bertprep::DumpPage page; scanner.next(page);) bytes += page.page.text.size();
    benchmark::DoNotOptimize(bytes);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * xml.size()));
}

BENCHMARK(scan)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
