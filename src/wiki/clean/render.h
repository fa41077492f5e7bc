// Renderer: a text with its marks -> text without them. Links become their labels, templates what the table of
// templates.h says, tables and files nothing.
#pragma once

#include "wiki/clean/markup/marks.h"
#include "wiki/dump/wiki_page.h"

namespace bertprep::clean {

class LanguageTable;

struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// What became of a template, for --report.
enum class TemplateFate { kShown, kSilent, kDropped };

struct TemplateUse {
  Span inside;
  std::string name;  // in its normal form
  TemplateFate fate = TemplateFate::kDropped;
};

class Renderer {
 public:
  Renderer(std::string_view text, std::span<const Mark> marks, const WikiSite& site, std::string_view title,
           std::string_view language);

  // Every template that is rendered from now on is noted there; null: none.
  void note_uses(std::vector<TemplateUse>* uses) { uses_ = uses; }
  std::vector<TemplateUse>* uses() const { return uses_; }

  // Appends what a reader sees of `span`. Nothing beyond kDeepest nested calls.
  void render(Span span, int depth, std::string& out);

  // The pieces between the bars of `span` that stand in no inner template, link or table.
  std::vector<Span> split(Span span) const;
  // The first `sign` of `span` outside inner marks, or its end.
  std::size_t find_outside(Span span, char sign) const;

  std::string_view text(Span span) const { return text_.substr(span.begin, span.end - span.begin); }
  const WikiSite& site() const { return site_; }
  std::string_view title() const { return title_; }
  // "en" of en.wikipedia.org; empty when it is not known.
  std::string_view language() const { return language_; }
  const LanguageTable& table() const { return table_; }

 private:
  std::size_t first_mark(std::size_t from) const;
  std::size_t render_mark(const Mark& mark, std::size_t limit, int depth, std::string& out);
  bool is_lone_category(const Mark& mark) const;
  void render_link(Span inside, int depth, std::string& out);
  std::size_t take_open_template(std::size_t at, std::size_t limit, int depth, std::string& out);
  std::size_t skip_open_table(std::size_t at, std::size_t limit) const;
  std::size_t take_open_link(std::size_t at, std::size_t limit, int depth, std::string& out);

  std::string_view text_;
  std::span<const Mark> marks_;
  mutable std::size_t last_found_ = 0;  // by first_mark()
  const WikiSite& site_;
  std::string_view title_;
  std::string_view language_;
  const LanguageTable& table_;
  std::vector<TemplateUse>* uses_ = nullptr;
};

}  // namespace bertprep::clean
