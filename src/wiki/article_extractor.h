// A page -> an article: the stages of the exact extractor and the class that runs them; the <doc> element of an
// article; DeferredExtraction, the work on a page of a dump that does not depend on order.
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

// The <doc> element of an article whose lines are `lines`, each ended by LF.
void append_doc(std::string_view id, std::string_view url, std::string_view title, std::string_view lines,
                std::string& out);

// Turns an article's lines into the text of a formatted file: Document::text with ArticleLayout::kReference. If the
// reference would see several articles in the text, lines "</doc>" separate them.
void format_lines(std::string_view title, std::string& lines);

// A page's markup -> the lines of its article. One per thread.
class PageWorker {
 public:
  PageWorker(const WikiOptions& options, std::shared_ptr<const WikiSite> site,
             std::shared_ptr<const TemplateStore> templates);

  // Replaces `lines`, or says why the page is rejected.
  std::optional<Rejection> extract(const WikiPage& page, std::string& lines);
  // With --clean: counts the templates of the following pages there; null: doesn't count.
  void count_templates(TemplateCounts* counts) { extractor_.count_templates(counts); }
  // With --clean: why the last page is not an article; empty if it is one.
  std::string_view left_out() const { return extractor_.left_out(); }

 private:
  std::string dump_;
  ArticleExtractor extractor_;
};

class DeferredExtraction final : public DeferredWork {
 public:
  DeferredExtraction(const WikiOptions& options, std::shared_ptr<const WikiSite> site,
                     std::shared_ptr<const TemplateStore> templates);

  std::unique_ptr<Worker> make_worker() const override;

 private:
  WikiOptions options_;
  std::shared_ptr<const WikiSite> site_;
  std::shared_ptr<const TemplateStore> templates_;
};

}  // namespace bertprep
