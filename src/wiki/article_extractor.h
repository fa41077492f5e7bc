// A page -> an article: the stages of the exact extractor and the class that runs them; the <doc> element of an
// article; deferred_extraction(), the work on a page of a dump that does not depend on order.
#pragma once

#include "bertprep/wiki/wiki_options.h"
#include "source/input/deferred_work.h"
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
struct TemplateCounts;

class ArticleExtractor {
 public:
  // `templates` may be null. Use one extractor per thread: buffers are reused for each page.
  ArticleExtractor(const WikiOptions& options, std::shared_ptr<const WikiSite> site,
                   std::shared_ptr<const TemplateStore> templates);
  ~ArticleExtractor();

  // Replaces `lines` by the article's lines, each ended by LF, or empties it and says why the page is rejected: it is
  // not UTF-8, or exceeds its budget of work (docs/formats/wiki-text.md). Time is bounded by a multiple of the page's
  // length.
  std::optional<Rejection> extract(const WikiPage& page, std::string& lines);

  // With --clean: counts the templates of the following pages there; null: doesn't count.
  void count_templates(TemplateCounts* counts);

  // With --clean: why the last page is not an article, as CleanExtractor says; empty if it is one.
  std::string_view left_out() const { return left_out_; }

 private:
  bool run_stages(const WikiPage& page, std::string& lines);

  std::unique_ptr<CleanExtractor> clean_;  // null without --clean
  std::string_view left_out_;
  const std::shared_ptr<const WikiSite> site_;
  const std::shared_ptr<const TemplateStore> templates_;
  StageTools tools_;
  std::string current_, next_;  // the result of the last stage, and space for the next one
};

// The <doc> element of an article whose lines are `lines`, each ended by LF.
void append_doc(std::string_view id, std::string_view url, std::string_view title, std::string_view lines,
                std::string& out);

// Turns an article's lines into the text of a formatted file: Document::text with ArticleLayout::kReference. If the
// reference would see several articles in the text, lines "</doc>" separate them.
void format_lines(std::string_view title, std::string& lines);

// The work on the pages of a dump.
std::shared_ptr<const DeferredWork> deferred_extraction(const WikiOptions& options,
                                                        std::shared_ptr<const WikiSite> site,
                                                        std::shared_ptr<const TemplateStore> templates);

}  // namespace bertprep
