// A page -> an article: the stages of the exact extractor, and the class that runs them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/wiki/wiki_options.h"
#include "unicode/properties/properties.h"
#include "wiki/dump/wiki_page.h"
#include "wiki/markup/edits.h"
#include "wiki/markup/elements.h"
#include "wiki/markup/links.h"
#include "wiki/markup/placeholders.h"
#include "wiki/markup/quotes.h"
#include "wiki/templates/template_expansion.h"

namespace bertprep {

// The stages of an article in order, each from text to text. The line filter follows them.

// Data that the stages reuse for each page. One per thread.
struct StageTools {
  // `site` and `templates` are kept by reference; `templates` may be null.
  StageTools(const WikiOptions& options, const WikiSite& site, const TemplateStore* templates)
      : drops_templates(options.no_templates), expander(site, templates) {}

  const bool drops_templates;
  const unicode::WordCharacters words;
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
  // `out` must not contain `text`. kChanged: `out` is the new text.
  Rewrite (*run)(StageTools& tools, const WikiPage& page, std::string_view text, std::string& out);
};
std::span<const ArticleStage> article_stages();

class CleanExtractor;
class TemplateStore;
struct TemplateCounts;

class ArticleExtractor {
 public:
  // `templates` may be null. Use one extractor per thread: buffers are reused for each page.
  ArticleExtractor(const WikiOptions& options, std::shared_ptr<const WikiSite> site,
                   std::shared_ptr<const TemplateStore> templates);
  ~ArticleExtractor();

  // Replaces `lines` by the article's lines, each ended by LF. False: the page exceeds its budget of work
  // (docs/formats/wiki-text.md), and `lines` is empty. Time is bounded by a multiple of the page's length.
  bool extract(const WikiPage& page, std::string& lines);

  // With --clean: counts templates as CleanExtractor does.
  void count_templates(TemplateCounts* counts);

  // With --clean: why the last page is not an article, by reason_of(CleanVerdict); empty if it is one.
  std::string_view left_out() const { return left_out_; }

 private:
  std::unique_ptr<CleanExtractor> clean_;  // null without --clean
  std::string_view left_out_;
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace bertprep
