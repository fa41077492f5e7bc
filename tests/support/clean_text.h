// Wikitext -> clean text in one call, for tests.
#pragma once

#include <string>
#include <string_view>

#include "wiki/clean/article.h"
#include "wiki/clean/markup/chars.h"
#include "wiki/clean/templates.h"

namespace bertprep::test {

struct CleanResult {
  std::string_view left_out{};  // why
  std::string lines;
};

// `wikitext` is escaped as in a dump.
inline std::string escape_as_dump(std::string_view wikitext) {
  std::string escaped;
  for (const char byte : wikitext) {
    switch (byte) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += byte;
    }
  }
  return escaped;
}

inline CleanResult clean_page(std::string_view title, std::string_view wikitext, const WikiOptions& options = {},
                              const std::string& language = "en", TemplateCounts* counts = nullptr) {
  auto site = std::make_shared<WikiSite>();
  site->url_base = "https://" + language + ".wikipedia.org/wiki";
  site->namespaces = {{"Datei", "6"}, {"Portal", "100"}, {"Spezial", ""}};
  site->clock = "2020-07-22T12:00:00";
  WikiPage page;
  page.title = escape_as_dump(title);
  page.text = escape_as_dump(wikitext);
  CleanResult result;
  CleanExtractor extractor(options, site);
  extractor.count_templates(counts);
  result.left_out = extractor.extract(page, result.lines);
  return result;
}

// Whether every wiki has the template; `name` in its normal form.
inline bool is_known_to_every_wiki(std::string_view name) {
  return clean::template_entries().contains(clean::page_name(name)) || clean::common_table().find(name);
}

// With what is around holes.
inline std::string clean_text(std::string_view wikitext, const std::string& language = "en") {
  return clean_page("Title", wikitext, {.holes = HoleRule::kKeep}, language).lines;
}

}  // namespace bertprep::test
