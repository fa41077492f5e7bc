#include "source/formats/sentences_source.h"

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

bool SentencesSource::read(SourceDocument& document) {
  document.title.clear();
  document.origin.line = 0;
  GrowingText text(document.text, limit_);
  for (std::string_view line; next_line(line);) {
    const std::string_view sentence = strip(line);
    if (!sentence.empty()) {
      if (!as_is_) line = sentence;
      if (document.origin.line == 0) lines_.begin_record(document.origin);
      text.append("\n", line, lines_.is_truncated() ? lines_.line_bytes() : line.size(), lines_.place());
    } else if (text.take()) {
      return true;
    } else {
      document.origin.line = 0;
    }
  }
  return text.take();
}

bool ArticlesSource::read(SourceDocument& document) {
  document.title.clear();
  for (std::string_view line; lines_.next(line);) {
    if (lines_.is_truncated()) {
      limit_.reject(lines_.place(), lines_.line_bytes(), line);
      continue;
    }
    if (strip(line).empty()) continue;
    lines_.begin_record(document.origin);
    document.text = as_is_ ? line.substr(0, line.size() - (line.ends_with('\r') ? 1 : 0)) : strip_end(line);
    return true;
  }
  return false;
}

}  // namespace bertprep
