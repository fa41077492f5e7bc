// Any bytes as a dump: the scanner gives what a plain reading of the whole dump gives, however its blocks are cut.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "support/memory_stream.h"
#include "support/plain_pages.h"
#include "wiki/page_scanner.h"

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
      pages.push_back({page.page.id, page.page.title, page.name_space, page.page.text});
    }
  } catch (const bertprep::FormatError&) {
    // It is cut, or no dump; the pages before that count.
  }
  const bool has_long_line = size > 50'000;  // std::regex recurses
  if (!has_long_line && pages != bertprep::test::plain_pages(dump)) std::abort();
  return 0;
}
