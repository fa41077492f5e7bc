#include "wiki/article_extractor.h"

#include <utility>

#include "wiki/clean/article.h"
#include "wiki/markup/entities.h"
#include "wiki/markup/line_filter.h"
#include "wiki/markup/spans.h"

namespace bertprep {
namespace {

using Tools = StageTools&;
using Page = const WikiPage&;
using In = std::string_view;
using Out = std::string&;

constexpr Rewrite changed_if(bool changed) {
  return changed ? Rewrite::kChanged : Rewrite::kUnchanged;
}

Rewrite expand_templates(Tools tools, Page page, In in, Out out) {
  if (tools.drops_templates) return changed_if(drop_nested(DropPair::kTemplates, in, tools.spans, out));
  return tools.expander.expand(in, page, out) ? Rewrite::kChanged : Rewrite::kGivenUp;
}

constexpr ArticleStage kStages[] = {
    // Still escaped as in XML.
    {"templates", expand_templates},
    {"braces",
     [](Tools t, Page, In in, Out out) { return changed_if(drop_nested(DropPair::kTemplates, in, t.spans, out)); }},
    {"tables",
     [](Tools t, Page, In in, Out out) { return changed_if(drop_nested(DropPair::kTables, in, t.spans, out)); }},
    {"quotes", [](Tools t, Page, In in, Out out) { return changed_if(t.quotes.replace(in, out)); }},
    {"internal links", [](Tools t, Page, In in, Out out) { return changed_if(t.links.replace(in, out)); }},
    {"external links", [](Tools, Page, In in, Out out) { return changed_if(replace_external_links(in, out)); }},
    {"switches", [](Tools, Page, In in, Out out) { return changed_if(drop_switches(in, out)); }},
    {"unescape", [](Tools t, Page, In in, Out out) { return changed_if(unescape_around_code(in, t.words, out)); }},
    // Tags are now unescaped, and text escaped twice is escaped once.
    {"spans", [](Tools t, Page, In in, Out out) { return changed_if(drop_spans(in, t.words, out)); }},
    {"elements", [](Tools t, Page, In in, Out out) { return changed_if(t.elements.drop(in, t.words, out)); }},
    {"unescape again", [](Tools t, Page, In in, Out out) { return changed_if(unescape(in, t.words, out)); }},
    {"placeholders", [](Tools t, Page, In in, Out out) { return t.placeholders.replace(in, out); }},
    {"runs", [](Tools, Page, In in, Out out) { return changed_if(shorten_runs(in, out)); }},
    {"brackets", [](Tools t, Page, In in, Out out) { return changed_if(close_up_brackets(in, t.spare, out)); }},
    {"nonword lines", [](Tools t, Page, In in, Out out) { return changed_if(drop_nonword_lines(in, t.words, out)); }},
    {"commas", [](Tools t, Page, In in, Out out) { return changed_if(shorten_commas(in, t.spare, out)); }},
};

}  // namespace

std::span<const ArticleStage> article_stages() {
  return kStages;
}

struct ArticleExtractor::Workspace {
  Workspace(const WikiOptions& options, std::shared_ptr<const WikiSite> wiki,
            std::shared_ptr<const TemplateStore> definitions)
      : site(std::move(wiki)), templates(std::move(definitions)), tools(options, *site, templates.get()) {}

  const std::shared_ptr<const WikiSite> site;
  const std::shared_ptr<const TemplateStore> templates;
  StageTools tools;
  std::string current, next;  // the result of the last stage, and space for the next one
};

ArticleExtractor::ArticleExtractor(const WikiOptions& options, std::shared_ptr<const WikiSite> site,
                                   std::shared_ptr<const TemplateStore> templates)
    : clean_(options.clean
                 ? std::make_unique<CleanExtractor>(
                       CleanChoice{options.lists, options.headings, options.min_length, options.holes, options.as_is},
                       site)
                 : nullptr),
      workspace_(std::make_unique<Workspace>(options, std::move(site), std::move(templates))) {}

ArticleExtractor::~ArticleExtractor() = default;

void ArticleExtractor::count_templates(TemplateCounts* counts) {
  if (clean_ != nullptr) clean_->count_templates(counts);
}

bool ArticleExtractor::extract(const WikiPage& page, std::string& lines) {
  if (clean_ != nullptr) {
    const CleanVerdict verdict = clean_->extract(page, lines);
    left_out_ = verdict == CleanVerdict::kKept ? std::string_view() : reason_of(verdict);
    return true;
  }
  lines.clear();
  auto& [site, templates, tools, current, next] = *workspace_;
  std::string_view text = page.text;
  for (const ArticleStage& stage : article_stages()) {
    switch (stage.run(tools, page, text, next)) {
      case Rewrite::kGivenUp:
        return false;
      case Rewrite::kUnchanged:
        break;
      case Rewrite::kChanged:
        current.swap(next);
        text = current;
    }
  }
  filter_lines(text, lines);
  return true;
}

}  // namespace bertprep
