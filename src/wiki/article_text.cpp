#include "bertprep/wiki/article_text.h"

#include <algorithm>
#include <utility>

#include "bertprep/base/error.h"
#include "wiki/clean/article.h"
#include "wiki/dump/dump_tag.h"

namespace bertprep {

std::string article_text(std::string_view markup, const WikiPageName& name, const WikiOptions& given) {
  WikiOptions options = given;
  options.clean = true;
  options.as_is = false;
  check(options);
  const bool is_code = !name.language.empty() &&
                       std::ranges::all_of(name.language, [](char c) { return c == '-' || (c >= 'a' && c <= 'z'); });
  if (!is_code)
    throw ConfigError("language is '" + name.language + "'", {}, "give the code of a Wikipedia, such as en");
  WikiPage page;
  append_escaped(name.title, page.title);
  append_escaped(markup, page.text);
  auto site = std::make_shared<WikiSite>();
  site->url_base = "https://" + name.language + ".wikipedia.org/wiki";
  site->content_language = name.language;
  site->clock = options.clock;
  CleanExtractor extractor(options, std::move(site));
  std::string lines;
  extractor.extract(page, lines);
  if (lines.ends_with('\n')) lines.pop_back();
  return lines;
}

}  // namespace bertprep
