// The stages of an article in their order, each a text -> another text. The line filter follows them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/wiki/wiki_options.h"
#include "wiki/dump/wiki_page.h"
#include "wiki/markup/edits.h"
#include "wiki/markup/elements.h"
#include "wiki/markup/internal_links.h"
#include "wiki/markup/nested_drop.h"
#include "wiki/markup/placeholders.h"
#include "wiki/markup/quotes.h"
#include "wiki/markup/word_characters.h"
#include "wiki/templates/template_expansion.h"

namespace bertprep {

// What the stages use again from page to page. One a thread.
struct StageTools {
  // `site` and `templates` are kept by reference; `templates` may be null.
  StageTools(const WikiOptions& options, const WikiSite& site, const TemplateStore* templates)
      : drops_templates(options.no_templates), expander(site, templates) {}

  const bool drops_templates;
  const WordCharacters words;
  TemplateExpander expander;
  Quotes quotes;
  InternalLinks links;
  Elements elements;
  Placeholders placeholders;
  std::vector<MarkupSpan> spans;
  std::string spare;
};

struct ArticleStage {
  std::string_view name;
  // `out` must not hold `text`. kChanged: `out` is the new text.
  Rewrite (*run)(StageTools& tools, const WikiPage& page, std::string_view text, std::string& out);
};
std::span<const ArticleStage> article_stages();

}  // namespace bertprep
