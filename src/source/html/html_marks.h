// What shows that a text is HTML: tags of HTML's elements, comments, the document type, character references.
#pragma once

#include <string_view>

namespace bertprep {

enum class HtmlMarks {
  kNone,
  kSome,   // running text with marks in it: an article on HTML, code, a break
  kWhole,  // it begins and ends with a tag
};

// A `<` that begins no tag of HTML is no mark: "a < b", "std::vector<int>", "<unk>".
HtmlMarks html_marks_of(std::string_view text);

// Whether HTML has an element of this name, in small letters: "p", "figure".
bool is_html_element(std::string_view name);

}  // namespace bertprep
