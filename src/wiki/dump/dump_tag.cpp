#include "wiki/dump/dump_tag.h"

#include <algorithm>
#include <array>

#include "unicode/ascii.h"

namespace bertprep {
namespace {

// Characters beyond ASCII count as letters: no tag of a dump has any, and text has no unescaped "<".
bool is_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || c == '_' || (c >= '0' && c <= '9') || ((byte | 0x20U) >= 'a' && (byte | 0x20U) <= 'z');
}

std::size_t end_of_name(std::string_view line, std::size_t at) {
  while (at < line.size() && is_word(line[at])) ++at;
  return at;
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
  const auto end = std::find_if_not(line.begin(), line.end(), is_ascii_digit);
  return end != line.end() && *end == '"' ? line.substr(0, static_cast<std::size_t>(end - line.begin()))
                                          : std::string_view{};
}

bool is_day(std::string_view digits) {
  const auto number = [&](std::size_t at, std::size_t count) {
    return std::stoi(std::string(digits.substr(at, count)));
  };
  return number(0, 4) >= 1990 && number(4, 2) >= 1 && number(4, 2) <= 12 && number(6, 2) >= 1 && number(6, 2) <= 31;
}

std::string day_in(std::string_view name) {
  for (std::size_t begin = 0; begin < name.size();) {
    if (!is_ascii_digit(name[begin])) {
      ++begin;
      continue;
    }
    std::size_t end = begin;
    while (end < name.size() && is_ascii_digit(name[end])) ++end;
    const std::string_view digits = name.substr(begin, end - begin);
    if (digits.size() == kDayDigits && is_day(digits)) {
      return std::string(digits.substr(0, 4)) + "-" + std::string(digits.substr(4, 2)) + "-" +
             std::string(digits.substr(6, 2));
    }
    begin = end;
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

}  // namespace

std::optional<DumpTag> first_tag(std::string_view line) {
  for (std::size_t begin = line.find('<'); begin != std::string_view::npos; begin = line.find('<', begin + 1)) {
    const std::size_t word = begin + 1 + (begin + 1 < line.size() && line[begin + 1] == '/' ? 1 : 0);
    const std::size_t end = end_of_name(line, word);
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

}  // namespace bertprep
