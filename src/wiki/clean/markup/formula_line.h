// A formula that fills a line of its own, but stands in the middle of a sentence.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bertprep::clean {

// Where the line of `source` ends that holds nothing but punctuation behind `at`; npos: it holds more.
std::size_t bare_line_end(std::string_view source, std::size_t at);

// Whether the line that `text` ends with is empty or an indentation, and the one before it an open sentence: "It is".
bool ends_in_open_sentence(std::string_view text);

// Takes that indentation and the line ends before it away.
void drop_indentation(std::string& text);

// Whether `rest`, behind the formula's line, continues the sentence: "and so on".
bool continues(std::string_view rest);

}  // namespace bertprep::clean
