// Inputs of many blocks with any compression, as they hardly compress.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace bertprep::test {

// About 2.5 KB each, one per line.
inline std::string articles_of_numbers(std::size_t count) {
  std::string text;
  std::uint64_t state = 1;
  for (std::size_t i = 0; i < count; ++i) {
    for (int word = 0; word < 200; ++word) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      text += std::to_string(state >> 20U) + " ";
    }
    text += ".\n";
  }
  return text;
}

// Pages of about 50 KB.
inline std::string dump_of_numbers(int pages) {
  std::string dump = "<mediawiki version=\"0.10\">\n<siteinfo>\n<base>https://x.org/wiki/Main</base>\n</siteinfo>\n";
  const std::size_t page_bytes = 50'000;
  const std::string text = articles_of_numbers(static_cast<std::size_t>(pages) * 20);
  for (int id = 1; id <= pages; ++id) {
    dump += "<page>\n<title>T" + std::to_string(id) + "</title>\n<ns>0</ns>\n<id>" + std::to_string(id) +
            "</id>\n<revision>\n<id>1</id>\n<timestamp>2019-03-04T05:06:07Z</timestamp>\n<text>" +
            text.substr(static_cast<std::size_t>(id - 1) * page_bytes, page_bytes) + "</text>\n</revision>\n</page>\n";
  }
  return dump + "</mediawiki>\n";
}

}  // namespace bertprep::test
