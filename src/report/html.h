// HTML text: what comes from data is escaped here, and the page around a body is written here, and nowhere else.
#pragma once

#include <string>
#include <string_view>

namespace bertprep {

// Text that no browser takes for anything else, in elements and in quoted attributes. What is not UTF-8, control
// characters and those that turn the direction of text become U+FFFD.
std::string escaped(std::string_view text);

// <tag class="...">content</tag>; `content` is HTML already. Without a class, the attribute is left out.
std::string element(std::string_view tag, std::string_view css_class, std::string_view content);

// A row of a table of facts, of texts.
std::string fact_row(std::string_view name, std::string_view value);

// A number as attributes of SVG take it: two decimals at most.
std::string svg_number(double value);

// What each page says in its head about the program that made it.
inline constexpr std::string_view kPageGenerator = "<meta name=\"generator\" content=\"bertprep\">";

// What stands around the body of a page that needs nothing from elsewhere: its policy forbids scripts and every
// request, whatever the body holds. Light and dark as the reader's system is.
struct HtmlFrame {
  std::string head;
  std::string end;
};

// `title` is text.
HtmlFrame html_frame(std::string_view title);

}  // namespace bertprep
