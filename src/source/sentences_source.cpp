#include "source/sentences_source.h"

#include "bertprep/io/strip.h"

namespace bertprep {

// Universal newlines: CR, LF and CR LF all end a line.
bool SentencesSource::next_line(std::string_view& line) {
  if (!has_rest_) {
    if (!lines_.next(rest_)) return false;
    if (rest_.ends_with('\r')) rest_.remove_suffix(1);
  }
  const std::size_t end = rest_.find('\r');
  line = rest_.substr(0, end);
  has_rest_ = end != std::string_view::npos;
  if (has_rest_) rest_.remove_prefix(end + 1);
  return true;
}

bool SentencesSource::next(Document& document) {
  document.title.clear();
  document.text.clear();
  for (std::string_view line; next_line(line);) {
    line = strip(line);
    if (!line.empty()) {
      if (!document.text.empty()) document.text += '\n';
      document.text += line;
    } else if (!document.text.empty()) {
      return true;
    }
  }
  return !document.text.empty();
}

}  // namespace bertprep
