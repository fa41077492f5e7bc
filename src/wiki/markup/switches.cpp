#include "wiki/markup/switches.h"

#include <algorithm>
#include <cstddef>

#include "wiki/markup/edits.h"
#include "wiki/markup/markup_bytes.h"

namespace bertprep {
namespace {

constexpr std::string_view kSwitches[] = {"NOTOC",
                                          "FORCETOC",
                                          "TOC",
                                          "NEWSECTIONLINK",
                                          "NONEWSECTIONLINK",
                                          "NOGALLERY",
                                          "HIDDENCAT",
                                          "NOCONTENTCONVERT",
                                          "NOCC",
                                          "NOTITLECONVERT",
                                          "NOTC",
                                          "START",
                                          "END",
                                          "INDEX",
                                          "NOINDEX",
                                          "STATICREDIRECT",
                                          "DISAMBIG"};
constexpr std::size_t kLongestSwitch = 16;

}  // namespace

bool drop_switches(std::string_view text, std::string& out) {
  Edits edits(text, out);
  for (std::size_t begin = find_pair(text, '_', '_'); begin != text.npos;) {
    std::size_t end = begin + 2;
    while (end < text.size() && end <= begin + 2 + kLongestSwitch && text[end] >= 'A' && text[end] <= 'Z') ++end;
    const std::string_view name = text.substr(begin + 2, end - begin - 2);
    std::size_t next = begin + 1;
    if (text.substr(end).starts_with("__") &&
        std::find(std::begin(kSwitches), std::end(kSwitches), name) != std::end(kSwitches)) {
      edits.erase(begin, end + 2);
      next = end + 2;
    }
    begin = find_pair(text, '_', '_', next);
  }
  return edits.finish();
}

}  // namespace bertprep
