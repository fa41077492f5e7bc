#include "report/html.h"

#include <algorithm>
#include <array>

#include "base/number_text.h"
#include "report/embedded.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::array<std::pair<char, const char*>, 5> kEntities{
    {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}}};

// At the front of `text`: marks that change the direction of text, U+202A to U+202E and U+2066 to U+2069. Data must not
// rearrange the page.
bool begins_with_turn(std::string_view text) {
  if (text.size() < 3 || text[0] != '\xE2') return false;
  const auto last = static_cast<unsigned char>(text[2]);
  return (text[1] == '\x80' && last >= 0xAA && last <= 0xAE) || (text[1] == '\x81' && last >= 0xA6 && last <= 0xA9);
}

std::string valid_text(std::string_view text) {
  std::string valid;
  while (const auto fault = find_invalid_utf8(text)) {
    valid.append(text.substr(0, *fault)).append(kReplacement);
    text.remove_prefix(*fault + 1);
  }
  return valid.append(text);
}

}  // namespace

std::string escaped(std::string_view text) {
  const std::string valid = valid_text(text);
  std::string html;
  html.reserve(valid.size());
  for (std::size_t i = 0; i < valid.size(); ++i) {
    const char c = valid[i];
    const auto byte = static_cast<unsigned char>(c);
    const bool is_c1 = c == '\xC2' && i + 1 < valid.size() && static_cast<unsigned char>(valid[i + 1]) < 0xA0;
    const auto entity = std::ranges::find(kEntities, c, &std::pair<char, const char*>::first);
    if (entity != kEntities.end()) {
      html += entity->second;
    } else if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F) {
      html += kReplacement;
    } else if (is_c1) {
      html += kReplacement;
      ++i;
    } else if (begins_with_turn(std::string_view(valid).substr(i))) {
      html += kReplacement;
      i += 2;
    } else {
      html += c;
    }
  }
  return html;
}

std::string element(std::string_view tag, std::string_view css_class, std::string_view content) {
  std::string html = "<" + std::string(tag);
  if (!css_class.empty()) html += " class=\"" + std::string(css_class) + "\"";
  return html.append(">").append(content).append("</").append(tag).append(">");
}

std::string fact_row(std::string_view name, std::string_view value) {
  return "<tr>" + element("td", "", escaped(name)) + element("td", "", escaped(value)) + "</tr>";
}

std::string svg_number(double value) {
  const std::string digits = rounded(value, 2);
  return digits == "-0" ? "0" : digits;
}

HtmlFrame html_frame(std::string_view title) {
  return {
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n" +
          std::string(kPageGenerator) + "\n<title>" + escaped(title) + "</title>\n<style>\n" +
          std::string(embedded::kPageStyle) + "</style>\n</head>\n<body>\n<main>\n",
      "</main>\n</body>\n</html>\n"};
}

}  // namespace bertprep
