#include "wiki/dump/doc_element.h"

#include <algorithm>

#include "source/formats/wikiextractor_source.h"

namespace bertprep {
namespace {

constexpr std::string_view kHead = "<doc id=";
constexpr std::string_view kEnd = "</doc>";

}  // namespace

void append_doc(std::string_view id, std::string_view url, std::string_view title, std::string_view lines,
                std::string& out) {
  out += "<doc id=\"";
  out += id;
  out += "\" url=\"";
  out += url;
  out += "\" title=\"";
  out += title;
  out += "\">\n";
  out += title;
  out += "\n\n";
  out += lines;
  out += "\n</doc>\n";
}

void format_lines(std::string_view title, std::string& lines) {
  const auto is_plain = [](std::string_view text) {
    return text.find(kEnd) == std::string_view::npos && text.find(kHead) == std::string_view::npos;
  };
  if (is_plain(lines) && is_plain(title) && title.find('\n') == std::string_view::npos) return;
  std::string doc;
  append_doc("", "", title, lines, doc);
  lines.clear();
  DocLines reader;
  bool is_first = true;
  for (std::string_view rest = doc; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size() - 1);
    if (reader.take(rest.substr(0, end + 1))) {
      if (!is_first) lines.append(kEnd).append("\n");
      is_first = false;
      lines += reader.text();
    }
    rest.remove_prefix(end + 1);
  }
}

}  // namespace bertprep
