#include "wiki/article_extractor.h"

#include <algorithm>

#include "source/formats/wikiextractor_source.h"
#include "source/input/record_source.h"
#include "unicode/utf8_text.h"
#include "wiki/clean/article.h"
#include "wiki/markup/entities.h"
#include "wiki/markup/line_filter.h"

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

constexpr std::string_view kHead = "<doc id=";
constexpr std::string_view kEnd = "</doc>";

constexpr std::size_t kShownBytes = 4096;

class DeferredWorker final : public DeferredWork::Worker {
 public:
  DeferredWorker(const WikiOptions& options, std::shared_ptr<const WikiSite> site,
                 std::shared_ptr<const TemplateStore> templates)
      : extractor_(options, std::move(site), std::move(templates)), formats_(!options.clean && !options.as_is) {}

  std::optional<Rejection> finish(SourceDocument& document) override {
    page_.id = document.origin.page_id;
    page_.revision_id = document.origin.revision_id;
    page_.timestamp = document.origin.timestamp;
    page_.title = document.title;
    page_.text.swap(document.text);
    std::optional<Rejection> rejection = extractor_.extract(page_, document.text);
    if (!rejection && formats_) format_lines(document.title, document.text);
    document.left_out = extractor_.left_out();
    return rejection;
  }
  void count_templates(TemplateCounts* counts) override { extractor_.count_templates(counts); }

 private:
  ArticleExtractor extractor_;
  bool formats_;  // as the reference does
  WikiPage page_;
};

}  // namespace

std::span<const ArticleStage> article_stages() {
  return kStages;
}

ArticleExtractor::ArticleExtractor(const WikiOptions& options, std::shared_ptr<const WikiSite> site,
                                   std::shared_ptr<const TemplateStore> templates)
    : clean_(options.clean ? std::make_unique<CleanExtractor>(options, site) : nullptr),
      site_(std::move(site)),
      templates_(std::move(templates)),
      tools_(options, *site_, templates_.get()) {}

ArticleExtractor::~ArticleExtractor() = default;

void ArticleExtractor::count_templates(TemplateCounts* counts) {
  if (clean_ != nullptr) clean_->count_templates(counts);
}

std::optional<Rejection> ArticleExtractor::extract(const WikiPage& page, std::string& lines) {
  const auto rejection = [&](std::string reason) {
    lines.clear();
    return Rejection{site_->dump + ": page '" + page.title + "' (id " + page.id + ")", std::move(reason),
                     page.text.substr(0, kShownBytes)};
  };
  if (find_invalid_utf8(page.title)) return rejection("the title is not UTF-8");
  if (const auto fault = find_invalid_utf8(page.text)) {
    return rejection("invalid UTF-8 at byte " + std::to_string(*fault) + " of the page's text");
  }
  if (clean_ != nullptr) {
    left_out_ = clean_->extract(page, lines);
  } else if (!run_stages(page, lines)) {
    return rejection("the markup of the page needs too much work");
  }
  return std::nullopt;
}

// False: the page exceeds its budget of work.
bool ArticleExtractor::run_stages(const WikiPage& page, std::string& lines) {
  lines.clear();
  std::string_view text = page.text;
  for (const ArticleStage& stage : article_stages()) {
    switch (stage.run(tools_, page, text, next_)) {
      case Rewrite::kGivenUp:
        return false;
      case Rewrite::kUnchanged:
        break;
      case Rewrite::kChanged:
        current_.swap(next_);
        text = current_;
    }
  }
  filter_lines(text, lines);
  return true;
}

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

std::shared_ptr<const DeferredWork> deferred_extraction(const WikiOptions& options,
                                                        std::shared_ptr<const WikiSite> site,
                                                        std::shared_ptr<const TemplateStore> templates) {
  return deferred_to<DeferredWorker>(options, std::move(site), std::move(templates));
}

}  // namespace bertprep
