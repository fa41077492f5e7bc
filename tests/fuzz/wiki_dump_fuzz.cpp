// Any bytes as a dump: the scanner gives the same as a plain reading of the whole dump, for any blocks, and the same in
// two parts.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bertprep/base/error.h"
#include "support/memory_stream.h"
#include "twins/pages.h"
#include "wiki/dump/page_scanner.h"

namespace {

using bertprep::test::PlainPage;

// The pages of a part that begins at `begin`, with reading that begins at least this many bytes earlier.
std::vector<PlainPage> pages_in(const std::string& dump, std::size_t block_bytes, std::size_t begin, std::size_t end,
                                std::size_t head_bytes) {
  for (std::size_t back = 1;; back *= 2) {
    const std::size_t from = begin > head_bytes + back ? begin - back : 0;
    bertprep::PageRange range{begin, end, from != 0, from, {}};
    bertprep::PageScanner scanner(
        "x", std::make_unique<bertprep::test::MemoryStream>(dump.substr(from), block_bytes),
        [](const auto&, const auto&, auto) {}, std::move(range));
    std::vector<PlainPage> pages;
    try {
      for (bertprep::DumpPage page; scanner.next(page);)
        pages.push_back({page.page.id, page.page.title, page.namespace_key, page.page.text});
    } catch (const bertprep::FormatError&) {
      // As when reading the whole.
    }
    if (!scanner.needs_look_back()) return pages;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::size_t block_bytes = 1 + data[0];
  const std::string dump =
      "<mediawiki version=\"1\">\n</siteinfo>\n" + std::string(reinterpret_cast<const char*>(data + 1), size - 1);
  std::vector<bertprep::test::PlainPage> pages;
  bertprep::PageScanner scanner("x", std::make_unique<bertprep::test::MemoryStream>(dump, block_bytes),
                                [](const auto&, const auto&, auto) {});
  try {
    for (bertprep::DumpPage page; scanner.next(page);) {
      pages.push_back({page.page.id, page.page.title, page.namespace_key, page.page.text});
    }
  } catch (const bertprep::FormatError&) {
    // It is truncated or not a dump; the pages before that count.
  }
  const std::size_t cut = 1 + (dump.size() - 1) * data[1] / 256;
  const std::size_t first_page = dump.find("<page");
  std::vector<PlainPage> parts = pages_in(dump, block_bytes, 0, cut, first_page);
  for (PlainPage& page : pages_in(dump, block_bytes, cut, 0, first_page)) parts.push_back(std::move(page));
  if (parts != pages) std::abort();
  const bool has_long_line = size > 50'000;  // std::regex recurses
  if (!has_long_line && pages != bertprep::test::plain_pages(dump)) std::abort();
  return 0;
}
