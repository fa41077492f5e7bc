#include "source/formats/wikitext_source.h"

#include <algorithm>

#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

constexpr std::string_view kTitleBegin = " = ";
constexpr std::string_view kTitleEnd = " = ";
constexpr std::string_view kSection = " = = ";

bool encloses(std::string_view line, std::string_view begin, std::string_view end) {
  return line.size() >= begin.size() + end.size() && line.starts_with(begin) && line.ends_with(end);
}

bool has_two_characters(std::string_view text) {
  const auto is_first_byte = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  return std::count_if(text.begin(), text.end(), is_first_byte) >= 2;
}

std::string_view between(std::string_view line) {
  return line.substr(kTitleBegin.size(), line.size() - kTitleBegin.size() - kTitleEnd.size());
}

}  // namespace

bool looks_like_wikitext_title(std::string_view line) {
  if (!encloses(line, kTitleBegin, kTitleEnd)) return false;
  const std::string_view title = between(line);
  return has_two_characters(title) && title.front() != '=' && title.back() != '=';
}

bool is_wikitext_section(std::string_view line) {
  return encloses(line, kSection, kSection);
}

std::string_view wikitext_title(std::string_view line) {
  return strip(between(line));
}

bool WikitextSource::next_line(std::string_view& line) {
  if (!std::exchange(has_ahead_, false)) return lines_.next(line);
  line = ahead_;
  return true;
}

// Reads the line after the current one, which becomes invalid.
bool WikitextSource::ends_before_blank_line() {
  has_ahead_ = lines_.next(ahead_);
  return !has_ahead_ || strip(ahead_).empty();
}

void WikitextSource::begin_article(Document& document) {
  document.title = std::exchange(next_title_, {});
  document.origin.line = std::exchange(next_line_number_, 0);
  document.origin.byte = next_byte_;
}

std::string_view WikitextSource::paragraph_of(std::string_view line) {
  if (!detokenizes_ && !as_is_) return strip(line);
  paragraph_ = line;
  if (as_is_) paragraph_ += '\n';
  if (detokenizes_) detokenize_wikitext(paragraph_);
  return as_is_ ? std::string_view(paragraph_) : strip(paragraph_);
}

bool WikitextSource::next(Document& document) {
  begin_article(document);
  GrowingText text(document.text, limit_);
  Origin here;
  const auto add = [&](std::string_view line, std::uint64_t more_bytes, const std::string& place) {
    if (document.origin.line == 0) document.origin = here;
    text.append(as_is_ ? "" : " ", line, line.size() + more_bytes, place);
  };
  bool has_text = false;
  if (as_is_ && !document.title.empty()) add(paragraph_of(candidate_), 0, lines_.place());
  for (std::string_view line; next_line(line);) {
    const std::string place = lines_.place();
    lines_.begin_record(here);
    if (lines_.is_truncated()) {
      after_blank_ = false;
      has_text = true;
      add(line, lines_.line_bytes() - line.size(), place);
      continue;
    }
    const bool was_after_blank = std::exchange(after_blank_, strip(line).empty());
    if (after_blank_ || is_wikitext_section(line)) {
      // Empty lines before the first title are no article.
      if (as_is_ && !text.is_empty()) add(paragraph_of(line), 0, place);
      continue;
    }
    const bool may_be_title = was_after_blank && looks_like_wikitext_title(line);
    if (may_be_title) {
      candidate_ = line;
      line = candidate_;
    }
    if (!may_be_title || !ends_before_blank_line()) {
      has_text = true;
      add(paragraph_of(line), 0, place);
      continue;
    }
    next_title_ = wikitext_title(candidate_);
    next_line_number_ = here.line;
    next_byte_ = here.byte;
    if (!std::exchange(has_text, false)) text.drop();
    if (text.take()) return true;
    begin_article(document);
    if (as_is_) add(paragraph_of(candidate_), 0, place);
  }
  if (!has_text) text.drop();
  return text.take();
}

}  // namespace bertprep
