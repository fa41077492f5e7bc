#include "source/wikitext_source.h"

#include <utility>

#include "bertprep/io/strip.h"
#include "source/wikitext_line.h"

namespace bertprep {
namespace {

void append_paragraph(std::string_view line, std::string& text) {
  if (!text.empty()) text += ' ';
  text += line;
}

}  // namespace

bool WikitextSource::next_line(std::string_view& line) {
  if (!std::exchange(has_ahead_, false)) return lines_.next(line);
  line = ahead_;
  return true;
}

// Reads the line after the current one, which must not be looked at afterwards.
bool WikitextSource::ends_before_blank_line() {
  has_ahead_ = lines_.next(ahead_);
  return !has_ahead_ || strip(ahead_).empty();
}

bool WikitextSource::next(Document& document) {
  document.title = std::exchange(next_title_, {});
  document.text.clear();
  for (std::string_view line; next_line(line);) {
    const bool was_after_blank = std::exchange(after_blank_, strip(line).empty());
    if (after_blank_ || is_wikitext_section(line)) continue;
    if (!was_after_blank || !looks_like_wikitext_title(line)) {
      append_paragraph(strip(line), document.text);
      continue;
    }
    candidate_ = line;
    if (!ends_before_blank_line()) {
      append_paragraph(strip(candidate_), document.text);
      continue;
    }
    next_title_ = wikitext_title(candidate_);
    if (!document.text.empty()) return true;
    document.title = std::exchange(next_title_, {});
  }
  return !document.text.empty();
}

}  // namespace bertprep
