#include "wiki/article_extractor.h"

#include <string_view>
#include <utility>

#include "wiki/article_stages.h"
#include "wiki/clean/article.h"
#include "wiki/markup/line_filter.h"

namespace bertprep {

struct ArticleExtractor::Workspace {
  Workspace(const WikiOptions& options, std::shared_ptr<const WikiSite> wiki,
            std::shared_ptr<const TemplateStore> definitions)
      : site(std::move(wiki)), templates(std::move(definitions)), tools(options, *site, templates.get()) {}

  const std::shared_ptr<const WikiSite> site;
  const std::shared_ptr<const TemplateStore> templates;
  StageTools tools;
  std::string current, next;  // the text as the last stage left it, and room for the next one
};

ArticleExtractor::ArticleExtractor(const WikiOptions& options, std::shared_ptr<const WikiSite> site,
                                   std::shared_ptr<const TemplateStore> templates)
    : clean_(options.clean ? std::make_unique<CleanExtractor>(
                                 CleanChoice{options.lists, options.headings, options.min_length}, site)
                           : nullptr),
      workspace_(std::make_unique<Workspace>(options, std::move(site), std::move(templates))) {}

ArticleExtractor::~ArticleExtractor() = default;

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
