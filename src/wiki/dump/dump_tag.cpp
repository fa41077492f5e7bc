#include "wiki/dump/dump_tag.h"

#include <algorithm>

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

namespace {

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

}  // namespace

WikiSite unknown_site() {
  WikiSite site;
  site.namespaces["Template"] = kTemplateKey;
  return site;
}

void add_siteinfo(std::string_view line, const DumpTag& tag, WikiSite& site) {
  if (tag.name == "base") {
    site.url_base = tag.value.substr(0, tag.value.rfind('/'));
  } else if (tag.name == "namespace") {
    const std::string_view key = key_of(line);
    site.namespaces[std::string(tag.value)] = key;
    if (key == kTemplateKey) site.template_namespace = tag.value;
    if (key == kModuleKey) site.module_namespace = tag.value;
  }
}

std::string clock_of(const std::string& requested, std::string_view dump_name, std::string_view revision_time) {
  if (!requested.empty()) return requested.substr(0, requested.find('Z'));
  if (const std::string day = day_in(dump_name); !day.empty()) return day + "T00:00:00";
  revision_time = revision_time.substr(0, revision_time.find('Z'));
  return revision_time.empty() ? "1970-01-01T00:00:00" : std::string(revision_time);
}

}  // namespace bertprep
