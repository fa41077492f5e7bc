#include "pipeline/text_shards/article_lines.h"

#include <algorithm>
#include "unicode/ascii.h"

namespace bertprep {
namespace {

// " = Title = ", but not deeper headings.
bool is_title(std::string_view line) {
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
  return line.size() > 4 && line.starts_with(" = ") && line.ends_with(" =") && !line.starts_with(" = =") &&
         !line.ends_with("= =");
}

std::string_view line_at(std::string_view text, std::size_t begin) {
  return text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
}

std::string_view line_before(std::string_view text, std::size_t begin) {
  if (begin < 2) return {};
  const std::size_t feed = text.rfind('\n', begin - 2);
  const std::size_t start = feed == std::string_view::npos ? 0 : feed + 1;
  return text.substr(start, begin - 1 - start);
}

bool begins_article(std::string_view text, std::size_t begin, InputFormat format) {
  if (format == InputFormat::kSentences) return is_ascii_blank(line_before(text, begin));
  if (format == InputFormat::kWikitext)
    return is_title(line_at(text, begin)) && is_ascii_blank(line_before(text, begin));
  return true;
}

}  // namespace

bool has_article_boundaries(InputFormat format) {
  return format == InputFormat::kArticles || format == InputFormat::kJsonl || format == InputFormat::kSentences ||
         format == InputFormat::kWikitext;
}

std::size_t next_article(std::string_view text, std::size_t place, InputFormat format) {
  if (place == 0) return 0;
  while (place < text.size()) {
    const std::size_t feed = text.find('\n', place - 1);
    if (feed == std::string_view::npos) break;
    place = feed + 1;
    if (place < text.size() && begins_article(text, place, format)) return place;
    ++place;
  }
  return text.size();
}

}  // namespace bertprep
