#include "wiki/article_stages.h"

#include "wiki/markup/character_runs.h"
#include "wiki/markup/entities.h"
#include "wiki/markup/external_links.h"
#include "wiki/markup/line_filter.h"
#include "wiki/markup/spans.h"
#include "wiki/markup/switches.h"

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
    // Tags are tags now, and what was escaped twice is escaped once.
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

}  // namespace bertprep
