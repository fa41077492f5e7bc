#include "wiki/clean/article.h"

#include <algorithm>

#include "wiki/clean/language_table.h"
#include "wiki/clean/markup/chars.h"
#include "wiki/clean/markup/source.h"
#include "wiki/clean/template_counts.h"
#include "wiki/dump/dump_tag.h"

namespace bertprep {
namespace clean {
namespace {

constexpr std::size_t kLongestPrefix = 90;

// {{Disambiguation needed}} marks a link in an article.
bool is_remark(std::string_view name) {
  return name.find("needed") != std::string_view::npos || name.find("inline") != std::string_view::npos;
}

bool is_disambiguation_template(std::string_view name) {
  if (common_table().lists("disambiguations", name)) return true;
  const bool is_named = name.starts_with("disambig") || name.starts_with("homonymie de ") ||
                        name.ends_with(" disambiguation") || name.ends_with(" disambig");
  return is_named && !is_remark(name);
}

bool has_disambiguation_title(std::string_view title) {
  const std::size_t bracket = title.rfind('(');
  if (bracket == std::string_view::npos || !title.ends_with(')')) return false;
  return common_table().lists("disambiguation titles",
                              normal_name(title.substr(bracket + 1, title.size() - bracket - 2)));
}

// `#REDIRECT [[...]]` at the beginning, under any of its names.
bool is_redirect(std::string_view text) {
  text = trim(text);
  if (!text.starts_with('#') && !text.starts_with("＃")) return false;
  text.remove_prefix(text.starts_with('#') ? 1 : std::string_view("＃").size());
  const std::size_t link = text.find("[[");
  if (link == std::string_view::npos || link > kLongestPrefix || text.substr(0, link).find('\n') < link) return false;
  std::string word = normal_name(text.substr(0, link));
  while (word.ends_with(':') || word.ends_with(' ')) word.pop_back();
  return common_table().lists("redirects", word);
}

// By a template, by __DISAMBIG__, or by the title. Lists of people with one name count, too.
bool is_disambiguation(std::string_view title, std::string_view text, std::span<const Mark> marks) {
  if (has_disambiguation_title(title) || text.find("__DISAMBIG__") != std::string_view::npos) return true;
  return std::any_of(marks.begin(), marks.end(), [&](const Mark& mark) {
    if (mark.kind != MarkKind::kTemplate || mark.is_open()) return false;
    const std::string_view inside = text.substr(mark.begin + 2, mark.end - mark.begin - 4);
    const std::string_view name = inside.substr(0, inside.substr(0, kLongestPrefix).find('|'));
    return name.size() < kLongestPrefix && is_disambiguation_template(normal_name(name));
  });
}

constexpr std::string_view kOpening = "-{";
constexpr std::string_view kClosing = "}-";
constexpr std::string_view kArrow = "=>";

// Replaces each -{...}- by what readers see of it: the text of its first variant; of flags, H, T and - show nothing, R
// its text as it is, N the name of a variant. D, which lists the variants by names, shows nothing here.
class VariantResolver {
 public:
  // `list` is the line of common_table() with the names of variants.
  explicit VariantResolver(std::string_view list) : list_(list) {}

  // Inner ones are replaced before outer ones.
  void resolve(std::string& text) {
    std::string out;
    std::vector<std::size_t> openings;  // in `out`
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t next = next_sign(text, at);
      out.append(text, at, next - at);
      if (next == text.size()) break;
      at = next + kOpening.size();
      if (text.compare(next, kOpening.size(), kOpening) == 0) {
        openings.push_back(out.size());
        out += kOpening;
      } else if (openings.empty()) {
        out += kClosing;
      } else {
        const std::string shown(shown_of(std::string_view(out).substr(openings.back() + kOpening.size())));
        out.resize(openings.back());
        out += shown;
        openings.pop_back();
      }
    }
    text.swap(out);
  }

 private:
  static std::size_t next_sign(std::string_view text, std::size_t at) {
    for (; (at = text.find_first_of("-}", at)) != std::string_view::npos; ++at) {
      const std::string_view sign = text.substr(at, 2);
      if (sign == kOpening || sign == kClosing) return at;
    }
    return text.size();
  }

  bool is_code(std::string_view text) const { return common_table().lists(list_, text); }

  std::string_view shown_of(std::string_view inside) const {
    const std::size_t bar = inside.find('|');
    if (bar == std::string_view::npos) return text_of(inside);
    const std::string_view rules = inside.substr(bar + 1);
    std::string flags;
    bool has_code = false;
    for_each_item(inside.substr(0, bar), ";", [&](std::string_view written) {
      const std::string_view flag = trim(written);
      if (flag.size() == 1 && std::string_view("S+ATRD-HN").find(flag) != std::string_view::npos) flags += flag;
      has_code = has_code || is_code(flag);
    });
    const auto has = [&](char flag) { return flags.find(flag) != std::string::npos; };
    if (has('R') || (flags.empty() && has_code)) return rules;
    if (has('N')) return common_table().word("names of variants", trim(rules));
    if (has('-') || has('H') || has('D') || flags == "T" || flags == "+") return {};
    return text_of(rules);
  }

  // What follows "code:", with or without "from =>" before it; nothing if `rule` has no code.
  std::optional<std::string_view> text_of_rule(std::string_view rule) const {
    if (const std::size_t arrow = rule.find(kArrow); arrow != std::string_view::npos) {
      rule.remove_prefix(arrow + kArrow.size());
    }
    const std::size_t colon = rule.find(':');
    if (colon == std::string_view::npos || !is_code(trim(rule.substr(0, colon)))) return std::nullopt;
    return trim(rule.substr(colon + 1));
  }

  // The text of the first variant; all of another text. A semicolon within a text parts nothing.
  std::string_view text_of(std::string_view rules) const {
    std::size_t end = rules.find(';');
    while (end != std::string_view::npos) {
      const std::string_view rest = rules.substr(end + 1);
      if (trim(rest).empty() || text_of_rule(rest.substr(0, rest.find(';')))) break;
      end = rules.find(';', end + 1);
    }
    const auto first = text_of_rule(rules.substr(0, end));
    return first ? *first : rules;
  }

  std::string_view list_;
};

// -{zh-hans:计算机;zh-hant:電腦}-, in wikis that convert between scripts
// (https://www.mediawiki.org/wiki/Language_Converter/Advanced_syntax). In all others these signs are text.
void resolve_variants(std::string& text, const std::string& language) {
  const std::string list = "variants of " + language;
  if (text.find(kOpening) != std::string::npos && common_table().has_list(list)) VariantResolver(list).resolve(text);
}

}  // namespace
}  // namespace clean

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

CleanExtractor::CleanExtractor(const WikiOptions& options, std::shared_ptr<const WikiSite> site)
    : workspace_(std::make_unique<Workspace>()) {
  workspace_->rules.lists = options.lists;
  workspace_->rules.headings = options.headings;
  workspace_->rules.holes = options.holes;
  workspace_->rules.parts_paragraphs = options.as_is;
  workspace_->min_length = options.min_length;
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

std::string_view CleanExtractor::extract(const WikiPage& page, std::string& lines) {
  Workspace& work = *workspace_;
  lines.clear();
  clean::unescape_xml(page.title, work.title);
  clean::unescape_xml(page.text, work.source);
  if (is_escaped_twice(work.source)) clean::unescape_xml(std::string(work.source), work.source);
  if (clean::is_redirect(work.source)) return kRedirectReason;
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
    return kDisambiguationReason;
  }
  if (work.rules.lists || work.rules.headings) {
    lines.clear();
    work.writer->write(work.rendered, work.rules, lines);
  }
  if (lines.empty()) return kNoTextReason;
  if (!is_as_long(lines, work.min_length)) {
    lines.clear();
    return kTooShortReason;
  }
  if (work.counts != nullptr) {
    clean::count_uses(work.uses, {work.title, work.text, marks, *work.site, work.rules}, *work.counts);
    clean::count_losses(work.writer->losses(), work.title, *work.counts);
  }
  return {};
}

}  // namespace bertprep
