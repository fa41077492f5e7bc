#include "wiki/dump/dump_tag.h"

#include <array>

#include "unicode/ascii.h"

namespace bertprep {
namespace {

// Characters beyond ASCII count as letters: no tag of a dump has any, and text has no unescaped "<".
bool is_word(char c) {
  return !is_ascii(c) || c == '_' || is_ascii_alphanumeric(c);
}

constexpr std::string_view kTemplateKey = "10";
constexpr std::string_view kModuleKey = "828";
constexpr std::size_t kDayDigits = 8;

// The digits of key="..."; empty if it is negative or missing.
std::string_view key_of(std::string_view line) {
  constexpr std::string_view kKey = "key=\"";
  const std::size_t at = line.find(kKey);
  if (at == std::string_view::npos) return {};
  line.remove_prefix(at + kKey.size());
  const std::size_t end = std::min(line.find_first_not_of("0123456789"), line.size());
  return line.substr(end).starts_with('"') ? line.substr(0, end) : std::string_view{};
}

bool is_day(std::string_view digits) {
  const auto number = [&](std::size_t at, std::size_t count) {
    return std::stoi(std::string(digits.substr(at, count)));
  };
  return number(0, 4) >= 1990 && number(4, 2) >= 1 && number(4, 2) <= 12 && number(6, 2) >= 1 && number(6, 2) <= 31;
}

// "2026-01-01" of the first eight digits in a row that are a day.
std::string day_in(std::string_view name) {
  while (!name.empty()) {
    name.remove_prefix(std::min(name.find_first_of("0123456789"), name.size()));
    const std::string_view digits = name.substr(0, name.find_first_not_of("0123456789"));
    if (digits.size() == kDayDigits && is_day(digits)) {
      return std::string(digits).insert(6, "-").insert(4, "-");
    }
    name.remove_prefix(digits.size());
  }
  return {};
}

constexpr std::array<std::string_view, 8> kProjects{"wikipedia.org",  "wiktionary.org", "wikibooks.org",
                                                    "wikiquote.org",  "wikisource.org", "wikinews.org",
                                                    "wikivoyage.org", "wikiversity.org"};

// "en.wikipedia.org" of https://en.wikipedia.org/wiki.
std::string_view host_of(std::string_view address) {
  const std::size_t slashes = address.find("//");
  if (slashes == std::string_view::npos) return {};
  address.remove_prefix(slashes + 2);
  return address.substr(0, address.find('/'));
}

// "fr" of "frwiki", "zh-min-nan" of "zh_min_nanwiki-20260701-pages.xml".
std::string language_of_database(std::string_view name) {
  name = name.substr(0, name.find('-'));
  const std::size_t end = name.rfind("wik");
  if (end == std::string_view::npos || end == 0) return {};
  std::string language(name.substr(0, end));
  std::replace(language.begin(), language.end(), '_', '-');
  const std::size_t letters = std::min(language.find('-'), language.size());
  const bool is_code =
      (letters == 2 || letters == 3) && !language.ends_with('-') &&
      std::all_of(language.begin(), language.end(), [](char c) { return c == '-' || is_ascii_letter(c); });
  return is_code || language == "simple" ? language : std::string();
}

constexpr std::string_view kComment = "<!--";
constexpr std::string_view kCdata = "<![CDATA[";
constexpr std::size_t kLongestTag = std::size_t{1} << 16;

bool is_name_byte(char c) {
  return is_word(c) || c == '-' || c == '.' || c == ':';
}

bool begins_name(std::string_view text) {
  return !text.empty() && is_name_byte(text.front()) && !is_ascii_digit(text.front()) && text.front() != '-' &&
         text.front() != '.';
}

// Whether the last quote that opens is closed.
bool has_closed_quotes(std::string_view raw) {
  char open = 0;
  for (const char c : raw) {
    if (open == 0 && (c == '"' || c == '\'')) {
      open = c;
    } else if (c == open) {
      open = 0;
    }
  }
  return open == 0;
}

}  // namespace

std::optional<DumpTag> first_tag(std::string_view line) {
  for (std::size_t begin = line.find('<'); begin != std::string_view::npos; begin = line.find('<', begin + 1)) {
    const std::size_t word = begin + 1 + (begin + 1 < line.size() && line[begin + 1] == '/' ? 1 : 0);
    std::size_t end = word;
    while (end < line.size() && is_word(line[end])) ++end;
    if (end == word) continue;
    const std::size_t close = line.find('>', end);
    if (close == std::string_view::npos) return std::nullopt;
    const std::size_t next = std::min(line.find('<', close + 1), line.size());
    return DumpTag{.name = line.substr(begin + 1, end - begin - 1),
                   .begin = begin,
                   .close = close,
                   .value = line.substr(close + 1, next - close - 1),
                   .is_closed = next < line.size() && line.find('>', next) != std::string_view::npos};
  }
  return std::nullopt;
}

WikiSite unknown_site() {
  WikiSite site;
  site.namespaces["Template"] = kTemplateKey;
  return site;
}

void add_siteinfo(std::string_view line, const DumpTag& tag, WikiSite& site) {
  if (tag.name == "base") {
    site.url_base = tag.value.substr(0, tag.value.rfind('/'));
  } else if (tag.name == "namespace") {
    add_namespace(tag.value, key_of(line), site);
  }
}

void add_namespace(std::string_view name, std::string_view key, WikiSite& site) {
  if (!is_ascii_digits(key)) key = {};
  site.namespaces[std::string(name)] = key;
  if (key == kTemplateKey) site.template_namespace = name;
  if (key == kModuleKey) site.module_namespace = name;
}

std::string clock_of(const std::string& requested, std::string_view dump_name, std::string_view revision_time) {
  if (!requested.empty()) return requested.substr(0, requested.find('Z'));
  if (const std::string day = day_in(dump_name); !day.empty()) return day + "T00:00:00";
  revision_time = revision_time.substr(0, revision_time.find('Z'));
  return std::string(revision_time);
}

std::string language_of(const WikiSite& site) {
  const std::string_view host = host_of(site.url_base);
  const std::string_view first = host.substr(0, host.find('.'));
  const bool is_project = std::any_of(kProjects.begin(), kProjects.end(),
                                      [&](std::string_view project) { return host.ends_with(project); });
  const bool has_own_name = std::count(host.begin(), host.end(), '.') >= 2 && first != "www";
  if (has_own_name && (is_project || site.content_language.empty())) return std::string(first);
  if (!site.content_language.empty()) return site.content_language;
  if (std::string language = language_of_database(site.database); !language.empty()) return language;
  const std::size_t dash = site.dump.find('-');
  const bool is_dated = dash != std::string::npos && dash + 1 < site.dump.size() && is_ascii_digit(site.dump[dash + 1]);
  return is_dated ? language_of_database(site.dump) : std::string();
}

bool begins_markup(char next) {
  return next == '/' || next == '!' || next == '?' || begins_name({&next, 1});
}

bool is_whole_tag(std::string_view raw) {
  if (raw.starts_with(kComment)) return raw.size() >= kComment.size() + 3 && raw.ends_with("-->");
  if (raw.starts_with(kCdata)) return raw.ends_with("]]>");
  if (raw.starts_with("<?")) return raw.ends_with("?>");
  if (raw.size() > kLongestTag) return true;
  if (raw.starts_with("<!")) {
    return raw.find('[') == std::string_view::npos || raw.find_last_of(']') == raw.find_last_not_of("> \t\r\n");
  }
  return !begins_name(raw.substr(raw.substr(1).starts_with('/') ? 2 : 1)) || has_closed_quotes(raw);
}

XmlTag read_xml_tag(std::string_view raw) {
  XmlTag tag;
  tag.raw = raw;
  if (raw.starts_with(kCdata)) {
    tag.kind = XmlKind::kCdata;
    tag.attributes = raw.substr(kCdata.size(), raw.size() - kCdata.size() - 3);
    return tag;
  }
  const bool is_declaration = raw.starts_with("<?xml") || raw.starts_with("<!DOCTYPE");
  if (is_declaration) tag.kind = XmlKind::kDeclaration;
  const bool is_end = raw.substr(1).starts_with('/');
  std::string_view rest = raw.substr(is_end || is_declaration ? 2 : 1);
  if (!begins_name(rest)) return tag;
  rest.remove_suffix(1);
  const bool is_empty = !is_end && rest.ends_with('/');
  if (is_empty) rest.remove_suffix(1);
  const auto* const name_end = std::find_if_not(rest.begin(), rest.end(), is_name_byte);
  const std::string_view name = rest.substr(0, static_cast<std::size_t>(name_end - rest.begin()));
  tag.attributes = rest.substr(name.size());
  tag.name = name.substr(name.find(':') + 1);  // npos + 1 is 0
  if (!is_declaration) tag.kind = is_end ? XmlKind::kClosing : is_empty ? XmlKind::kEmpty : XmlKind::kOpening;
  return tag;
}

std::string_view attribute_of(const XmlTag& tag, std::string_view name) {
  std::string_view rest = tag.attributes;
  for (;;) {
    rest.remove_prefix(std::min(rest.find_first_not_of(kAsciiBlanks), rest.size()));
    const std::size_t equals = rest.find('=');
    if (equals == std::string_view::npos) return {};
    std::string_view key = rest.substr(0, equals);
    key = key.substr(0, key.find_last_not_of(kAsciiBlanks) + 1);
    rest.remove_prefix(equals + 1);
    rest.remove_prefix(std::min(rest.find_first_not_of(kAsciiBlanks), rest.size()));
    const std::size_t end = rest.empty() ? std::string_view::npos : rest.find(rest.front(), 1);
    if (end == std::string_view::npos) return {};
    if (key.substr(key.find(':') + 1) == name) return rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
  }
}

}  // namespace bertprep
