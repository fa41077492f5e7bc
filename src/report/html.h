// HTML text: only this file escapes data and writes the page around a body.
#pragma once

#include <string>
#include <string_view>

namespace bertprep {

// Escapes text for elements and quoted attributes. Bytes that are not UTF-8, control characters and those that change
// the direction of text become U+FFFD.
std::string escaped(std::string_view text);

// <tag class="...">content</tag>; `content` must be HTML. Without a class, there is no attribute.
std::string element(std::string_view tag, std::string_view css_class, std::string_view content);

// A row of a table of facts; both arguments are text.
std::string fact_row(std::string_view name, std::string_view value);

// A number for attributes of SVG: at most two decimals.
std::string svg_number(double value);

// Identifies the program in the head of each page.
inline constexpr std::string_view kPageGenerator = "<meta name=\"generator\" content=\"bertprep\">";

// The frame around the body of a self-contained page: its policy forbids scripts and all requests, whatever the body
// contains. Light or dark like the reader's system.
struct HtmlFrame {
  std::string head;
  std::string end;
};

// `title` is text, not HTML.
HtmlFrame html_frame(std::string_view title);

}  // namespace bertprep
