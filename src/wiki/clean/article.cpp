#include "wiki/clean/article.h"

#include <algorithm>
#include <optional>

#include "unicode/properties/sentence_breaks.h"
#include "wiki/clean/language_table.h"
#include "wiki/clean/lines.h"
#include "wiki/clean/markup/entities.h"
#include "wiki/clean/markup/marks.h"
#include "wiki/clean/markup/source.h"
#include "wiki/clean/page_kind.h"
#include "wiki/clean/render.h"
#include "wiki/clean/template_counts.h"
#include "wiki/clean/variants.h"
#include "wiki/dump/dump_tag.h"

namespace bertprep {
namespace {

// Raise it when a change outside languages/*.txt changes the text of a page.
constexpr std::string_view kRulesVersion = "4";

// What a page may hold beside its list and still be called a disambiguation page; surname pages tell a little, too.
constexpr std::int64_t kMaxDisambiguationProse = 2000;

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

// Some exports were escaped once too often: then tags are written &lt;ref&gt; throughout.
bool is_escaped_twice(std::string_view source) {
  const std::size_t escaped = count_of(source, "&lt;/ref&gt;");
  return escaped > 2 && escaped > count_of(source, "</ref>");
}

// Whether `lines` have `least` characters.
bool is_as_long(std::string_view lines, std::int64_t least) {
  for (std::size_t at = 0; least > 0 && at < lines.size(); ++at) {
    least -= (lines[at] & 0xC0) != 0x80 && lines[at] != '\n';
  }
  return least <= 0;
}

}  // namespace

struct CleanExtractor::Workspace {
  clean::LineRules rules;
  std::int64_t min_length = 0;
  std::shared_ptr<const WikiSite> site;
  std::string language;

  TemplateCounts* counts = nullptr;
  std::vector<clean::TemplateUse> uses;

  clean::SourceReader reader;
  clean::MarkFinder finder;
  std::optional<clean::LineWriter> writer;
  std::string title;
  std::string source;
  std::string text;
  std::string rendered;
};

std::string clean_text_version() {
  return std::string(kRulesVersion)
      .append("-")
      .append(clean::language_files_sha256().substr(0, 12))
      .append(", ICU ")
      .append(unicode::sentence_rules_version());
}

std::string_view reason_of(CleanVerdict verdict) {
  switch (verdict) {
    case CleanVerdict::kKept:
      return "kept";
    case CleanVerdict::kRedirect:
      return kRedirectReason;
    case CleanVerdict::kDisambiguation:
      return "disambiguation page";
    case CleanVerdict::kTooShort:
      return "shorter than `min_length`";
    case CleanVerdict::kEmpty:
      return "no text";
  }
  return "no text";
}

CleanExtractor::CleanExtractor(const CleanChoice& choice, std::shared_ptr<const WikiSite> site)
    : workspace_(std::make_unique<Workspace>()) {
  workspace_->rules.lists = choice.lists;
  workspace_->rules.headings = choice.headings;
  workspace_->rules.holes = choice.holes;
  workspace_->rules.parts_paragraphs = choice.parts_paragraphs;
  workspace_->min_length = choice.min_length;
  workspace_->language = language_of(*site);
  workspace_->writer.emplace(workspace_->language == "simple" ? "en" : workspace_->language);
  workspace_->rules.french = workspace_->language == "fr";
  workspace_->rules.table = &clean::language_table(workspace_->language);
  workspace_->site = std::move(site);
}

CleanExtractor::~CleanExtractor() = default;

void CleanExtractor::count_templates(TemplateCounts* counts) {
  workspace_->counts = counts;
}

CleanVerdict CleanExtractor::extract(const WikiPage& page, std::string& lines) {
  Workspace& work = *workspace_;
  lines.clear();
  clean::unescape_xml(page.title, work.title);
  clean::unescape_xml(page.text, work.source);
  if (is_escaped_twice(work.source)) clean::unescape_xml(std::string(work.source), work.source);
  if (clean::is_redirect(work.source)) return CleanVerdict::kRedirect;
  work.reader.read(work.source, work.text);
  const std::span<const clean::Mark> marks = work.finder.find(work.text);
  clean::Renderer renderer(work.text, marks, *work.site, work.title, work.language);
  work.uses.clear();
  if (work.counts != nullptr) renderer.note_uses(&work.uses);
  work.rendered.clear();
  renderer.render({0, work.text.size()}, 0, work.rendered);
  clean::resolve_variants(work.rendered, work.language);
  work.rules.has_code = work.reader.has_code();
  clean::LineRules prose = work.rules;
  prose.lists = prose.headings = false;
  work.writer->write(work.rendered, prose, lines);
  const bool is_long = is_as_long(lines, kMaxDisambiguationProse + 1);
  if (!is_long && clean::is_disambiguation(work.title, work.text, marks)) {
    lines.clear();
    return CleanVerdict::kDisambiguation;
  }
  if (work.rules.lists || work.rules.headings) {
    lines.clear();
    work.writer->write(work.rendered, work.rules, lines);
  }
  if (lines.empty()) return CleanVerdict::kEmpty;
  if (!is_as_long(lines, work.min_length)) {
    lines.clear();
    return CleanVerdict::kTooShort;
  }
  if (work.counts != nullptr) {
    clean::count_uses(work.uses, {work.title, work.text, marks, *work.site, work.rules}, *work.counts);
    clean::count_losses(work.writer->losses(), work.title, *work.counts);
  }
  return CleanVerdict::kKept;
}

}  // namespace bertprep
