#include "source/wikitext_line.h"

#include <algorithm>

#include "io/strip.h"

namespace bertprep {
namespace {

constexpr std::string_view kTitleBegin = " = ";
constexpr std::string_view kTitleEnd = " = ";
constexpr std::string_view kSection = " = = ";

bool encloses(std::string_view line, std::string_view begin, std::string_view end) {
  return line.size() >= begin.size() + end.size() && line.starts_with(begin) && line.ends_with(end);
}

bool has_two_characters(std::string_view text) {
  const auto is_first_byte = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  return std::count_if(text.begin(), text.end(), is_first_byte) >= 2;
}

std::string_view between(std::string_view line) {
  return line.substr(kTitleBegin.size(), line.size() - kTitleBegin.size() - kTitleEnd.size());
}

}  // namespace

bool looks_like_wikitext_title(std::string_view line) {
  if (!encloses(line, kTitleBegin, kTitleEnd)) return false;
  const std::string_view title = between(line);
  return has_two_characters(title) && title.front() != '=' && title.back() != '=';
}

bool is_wikitext_section(std::string_view line) {
  return encloses(line, kSection, kSection);
}

std::string_view wikitext_title(std::string_view line) {
  return strip(between(line));
}

}  // namespace bertprep
