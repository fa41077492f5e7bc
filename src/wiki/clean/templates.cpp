#include "wiki/clean/templates.h"

#include "wiki/clean/markup/chars.h"

namespace bertprep::clean {
namespace {

constexpr std::size_t kLongestName = 80;

const TemplateEntry* find_entry(std::string_view name, std::string_view language) {
  const auto found = template_entries().find(name);
  if (found == template_entries().end()) return nullptr;
  const std::string_view wikis = found->second.wikis;
  return wikis.empty() || has_word(wikis, language == "simple" ? "en" : language) ? &found->second : nullptr;
}

// {{lang-de|...}}, {{IPA-fr|...}}: one entry for all languages, under the name with its hyphen.
const TemplateEntry* find_family(std::string_view name, std::string_view language) {
  const std::size_t hyphen = name.find('-');
  return hyphen == std::string_view::npos ? nullptr : find_entry(name.substr(0, hyphen + 1), language);
}

// A template that shows nothing on purpose, or all of whose arguments may be absent.
bool may_be_silent(const Description& description) {
  if (!description.alike.empty()) return false;
  return description.text.empty() || (description.text.starts_with('[') && description.text.ends_with(']'));
}

std::string_view without_prefix(std::string_view name) {
  for (const std::string_view prefix : {"subst:", "safesubst:", "template:", ":template:"}) {
    if (name.starts_with(prefix)) name = trim(name.substr(prefix.size()));
  }
  return name;
}

std::string rendered(Renderer& renderer, Span span, int depth) {
  std::string text;
  renderer.render(span, depth + 1, text);
  return std::string(trim(text));
}

// #if test|then|else and #ifeq left|right|then|else.
void write_choice(Renderer& renderer, std::string_view name, Span body, int depth, std::string& out) {
  const std::vector<Span> parts = renderer.split(body);
  const std::size_t first = name == "#ifeq" ? 2 : 1;
  const std::string test = rendered(renderer, parts[0], depth);
  if (test.find(kHoleMark) != std::string::npos) return out.push_back(kHoleMark);
  bool holds = !test.empty();
  if (name == "#ifeq") holds = parts.size() > 1 && test == rendered(renderer, parts[1], depth);
  const std::size_t chosen = holds ? first : first + 1;
  if (chosen < parts.size()) out.append(rendered(renderer, parts[chosen], depth));
}

void write_case(std::string_view name, std::string text, std::string& out) {
  if (text.empty()) return;
  const bool whole = name == "lc" || name == "uc";
  const bool small = name.starts_with("lc");
  for (std::size_t i = 0; i < (whole ? text.size() : 1); ++i) {
    if (small) {
      text[i] = ascii_lower(text[i]);
    } else if (text[i] >= 'a' && text[i] <= 'z') {
      text[i] = static_cast<char>(text[i] - 32);
    }
  }
  out.append(text);
}

std::string_view part_of_clock(std::string_view clock, std::string_view name) {
  if (clock.size() < 10) return {};
  if (name == "currentyear" || name == "localyear") return clock.substr(0, 4);
  if (name == "currentmonth" || name == "localmonth") return clock.substr(5, 2);
  if (name == "currentday2" || name == "localday2") return clock.substr(8, 2);
  if (name == "currentday" || name == "localday") return clock.substr(clock[8] == '0' ? 9 : 8, clock[8] == '0' ? 1 : 2);
  return {};
}

// Parser functions and variables of MediaWiki that stand in articles.

// {{name:body}}. False: `name` is no function, and the whole may be a template's name. Functions that need what a dump
// does not hold give nothing.
bool render_function(Renderer& renderer, Span name_span, Span body, int depth, std::string& out) {
  if (name_span.end - name_span.begin > 40) return false;
  const std::string name = normal_name(renderer.text(name_span));
  if (name == "#if" || name == "#ifeq") {
    write_choice(renderer, name, body, depth, out);
  } else if (has_word("lc uc lcfirst ucfirst", name)) {
    write_case(name, rendered(renderer, body, depth), out);
  } else if (name == "formatnum") {
    const std::string number = rendered(renderer, {body.begin, renderer.find_outside(body, '|')}, depth);
    out.append(localized_text(number, renderer.table().number_signs()));
  } else {
    const auto description = renderer.table().find(name);
    if (common_table().lists("lost functions", name)) out.push_back(kHoleMark);
    return name.starts_with('#') || common_table().lists("silent functions", name) ||
           (description && description->text.empty());
  }
  return true;
}

// {{PAGENAME}}, {{CURRENTYEAR}}, ...; `name` is in small letters. False: no variable.
bool write_variable(const Renderer& renderer, std::string_view name, std::string& out) {
  if (has_word("pagename fullpagename basepagename subpagename", name)) {
    out.append(renderer.title());
    return true;
  }
  if ((!name.starts_with("current") && !name.starts_with("local")) || renderer.site().clock.empty()) return false;
  out.append(part_of_clock(renderer.site().clock, name));
  return true;
}

}  // namespace

const std::map<std::string, TemplateEntry, std::less<>>& template_entries() {
  static const auto kEntries = [] {
    std::map<std::string, TemplateEntry, std::less<>> entries;
    for (const auto rows :
         {phrase_templates(), language_templates(), date_templates(), number_templates(), measure_templates()}) {
      for (const TemplateEntry& row : rows) {
        for_each_item(row.names, ", ", [&](std::string_view name) {
          const std::string_view detail = row.detail.empty() ? name : row.detail;
          entries.emplace(page_name(name), TemplateEntry{name, row.write, detail, row.ignored, row.wikis});
        });
      }
    }
    return entries;
  }();
  return kEntries;
}

void render_template(Renderer& renderer, Span inside, int depth, std::string& out) {
  const std::size_t bar = renderer.find_outside(inside, '|');
  const Span head{inside.begin, bar};
  std::optional<Span> arguments;
  if (bar < inside.end) arguments = Span{bar + 1, inside.end};
  const std::size_t colon = renderer.find_outside(head, ':');
  if (colon < bar && render_function(renderer, {head.begin, colon}, {colon + 1, inside.end}, depth, out)) return;
  if (bar - inside.begin > kLongestName) return;
  const std::size_t before = out.size();
  const std::size_t uses_before = renderer.uses() == nullptr ? 0 : renderer.uses()->size();
  const std::string full_name = normal_name(renderer.text(head));
  const std::string name(without_prefix(full_name));
  if (!arguments && write_variable(renderer, name, out)) return;
  const std::string_view language = renderer.language();
  // A name that a table writes with capitals is no other than that.
  const std::string full_written = page_name(renderer.text(head));
  const std::string written(without_prefix(full_written));
  const bool has_capitals = written != name;
  auto description = has_capitals ? renderer.table().find_written(written) : std::nullopt;
  if (!description) description = renderer.table().find(name);
  const TemplateEntry* entry = description ? nullptr : find_entry(has_capitals ? written : name, language);
  if (!description && entry == nullptr && has_capitals) entry = find_entry(name, language);
  if (!description && entry == nullptr) entry = find_family(name, language);
  if (!description && entry == nullptr) description = common_table().find(name);
  const auto note = [&](const std::string& used) {
    const bool is_shown = out.find_first_not_of("\x01\x0E\x0F", before) != out.npos;
    const TemplateFate fate = is_shown                                     ? TemplateFate::kShown
                              : description && may_be_silent(*description) ? TemplateFate::kSilent
                                                                           : TemplateFate::kDropped;
    // One of several lines that begins a line is no part of a sentence.
    const bool is_lost = fate == TemplateFate::kDropped && out.size() == before;
    const bool is_long = is_lost && renderer.text(inside).find('\n') != std::string_view::npos;
    if (is_lost && !(is_long && at_line_begin(out))) out.push_back(kHoleMark);
    if (renderer.uses() == nullptr) return;
    // A wrapper is empty when what it holds is dropped, which is noted already.
    if (fate == TemplateFate::kDropped && renderer.uses()->size() > uses_before) return;
    renderer.uses()->push_back({inside, used, fate});
  };
  if (!description && entry == nullptr) return note(name);
  const std::string alike(description ? description->alike : std::string_view());
  if (!alike.empty()) {
    const auto found = template_entries().find(page_name(alike));
    if (found == template_entries().end()) description = common_table().find(alike);
    if (found != template_entries().end()) entry = &found->second;
  }
  TemplateCall call(renderer, alike.empty() ? name : alike, arguments, depth);
  if (entry != nullptr) {
    call.ignore(entry->ignored);
    entry->write(call, entry->detail, out);
  } else {
    write_description(call, *description, without_prefix(renderer.text(head)), out);
  }
  if (out.size() > before && call.has_unread()) out.resize(before);
  note(name);
}

}  // namespace bertprep::clean
