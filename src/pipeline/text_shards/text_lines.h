// Lines of a text shard: they end at LF, CR or CRLF, as in Python's text mode.
#pragma once

#include <algorithm>
#include <string_view>

namespace bertprep {

// Calls line(view) for the parts of `text`, which must have no LF, between its CRs.
template <class Line>
void for_each_between_carriage_returns(std::string_view text, Line& line) {
  for (std::size_t end = text.find('\r'); end != std::string_view::npos; end = text.find('\r')) {
    line(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  line(text);
}

// Calls line(view) for every line of `text`, without its end; a last line without an end counts.
template <class Line>
void for_each_text_line(std::string_view text, Line line) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view part = text.substr(0, end);
    const bool last = end == text.size();
    text.remove_prefix(last ? end : end + 1);
    // The CR of CRLF, and a CR at the very end, end a line once.
    if (part.ends_with('\r')) part.remove_suffix(1);
    for_each_between_carriage_returns(part, line);
  }
}

}  // namespace bertprep
