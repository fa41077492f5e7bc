#include "wiki/clean/lines.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "unicode/byte_search.h"
#include "wiki/clean/apostrophes.h"
#include "wiki/clean/inline.h"
#include "wiki/clean/markup/chars.h"
#include "wiki/clean/markup/links.h"
#include "wiki/clean/markup/tidy.h"

namespace bertprep::clean {
namespace {

constexpr int kMaxRounds = 8;
constexpr std::size_t kShortestIndentedProse = 60;
constexpr std::size_t kShortestIndentedParagraph = 100;

bool is_item(char first) {
  return first == '*' || first == '#' || first == ':' || first == ';';
}

// Rows of a table whose beginning was lost.
bool is_row(std::string_view line) {
  if (line.starts_with('|') || line.starts_with("{|")) return true;
  return line.starts_with('!') && line.find_first_of("|!", 1) != std::string_view::npos;
}

// A line that begins with a blank is preformatted: code, or a sentence whose writer did not mean it.
bool is_indented_prose(std::string_view line) {
  const std::string_view text = trim(line);
  if (text.size() < kShortestIndentedProse || text.find("   ") != std::string_view::npos) return false;
  const auto words =
      std::count_if(text.begin(), text.end(), [](char byte) { return is_word_byte(byte) || byte == ' '; });
  return static_cast<std::size_t>(words) * 10 > text.size() * 9;
}

// ":" before whole sentences sets a quotation; before a few words, a formula or a remark in italics.
bool is_indented_paragraph(std::string_view line) {
  const std::size_t begin = std::min(line.find_first_not_of(": "), line.size());
  const std::string_view text = line.substr(begin);
  if (begin == 0 || text.size() < kShortestIndentedParagraph || is_item(text.front()) || is_row(text)) return false;
  const std::size_t end = text.find_last_not_of("'\"”»)");
  const bool is_remark = text.starts_with("''") && !text.starts_with("'''") && text.ends_with("''");
  return !is_remark && end != std::string_view::npos &&
         std::string_view(".!?").find(text[end]) != std::string_view::npos;
}

bool is_punctuation(std::uint32_t code) {
  if (code < 0x80) return !is_ascii_letter(static_cast<char>(code)) && !is_ascii_digit(static_cast<char>(code));
  return (code >= 0xA0 && code <= 0xBF) || (code >= 0x2000 && code <= 0x206F) || (code >= 0x2190 && code <= 0x2BFF) ||
         (code >= 0x3000 && code <= 0x303F) || code == 0xD7 || code == 0xF7;
}

bool has_words(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, bytes] = unicode::code_point_at(text, at);
    if (!is_punctuation(code)) return true;
    at += bytes;
  }
  return false;
}

std::string_view without_marks(std::string_view line) {
  constexpr std::string_view kMarks = " \x0E\x0F";
  if (!line.empty() && line.front() > ' ' && line.back() > ' ') return line;
  const std::size_t begin = std::min(line.find_first_not_of(kMarks), line.size());
  return line.substr(begin, line.find_last_not_of(kMarks) + 1 - begin);
}

// Chinese and Japanese lines are joined without a blank.
bool is_wide_byte(char byte) {
  return static_cast<unsigned char>(byte) >= 0xE3;
}

bool joins_without_blank(std::string_view before, std::string_view after) {
  before = without_marks(before);
  after = without_marks(after);
  if (before.size() < 3 || after.empty()) return false;
  const auto lead = static_cast<unsigned char>(before[before.size() - 3]);
  return lead >= 0xE3 && lead <= 0xE9 && is_wide_byte(after.front()) && static_cast<unsigned char>(after[0]) <= 0xE9;
}

}  // namespace

void LineWriter::write(std::string_view text, const LineRules& rules, std::string& lines) {
  rules_ = rules;
  lines_ = &lines;
  paragraph_.clear();
  headings_.clear();
  follows_item_ = false;
  losses_ = {};
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(find_any<'\n', kBlockMark>(text, begin), text.size());
    take_line(text.substr(begin, end - begin));
    if (end < text.size() && text[end] == kBlockMark) finish_paragraph();
    begin = end + 1;
  }
  finish_paragraph();
}

// A line is what it would be without the marks of holes at its ends; of nothing else it is empty.
void LineWriter::take_line(std::string_view line) {
  const std::string_view whole = trim(line);
  const std::string_view bare = without_marks(whole);
  if (bare.empty() || is_row(bare)) {
    finish_paragraph();
  } else if (bare.size() > 2 && bare.front() == '=' && bare.back() == '=') {
    take_heading(bare);
  } else if (is_item(bare.front())) {
    take_item(bare);
  } else if (bare.starts_with("----")) {
    finish_paragraph();
    take_prose(trim(bare.substr(std::min(bare.find_first_not_of('-'), bare.size()))));
  } else if (is_file_line(bare)) {
    finish_paragraph();
  } else if (!is_blank(line.front())) {
    take_prose(whole);
  } else if (is_indented_prose(line)) {
    finish_paragraph();
    take_prose(whole);
    finish_paragraph();
  }
}

void LineWriter::take_heading(std::string_view line) {
  finish_paragraph();
  std::size_t level = 0;
  while (level < 6 && line.size() > 2 && line.front() == '=' && line.back() == '=') {
    line.remove_prefix(1);
    line.remove_suffix(1);
    ++level;
  }
  while (!headings_.empty() && headings_.back().level >= level) headings_.pop_back();
  if (rules_.headings) headings_.push_back({level, std::string(trim(line))});
}

void LineWriter::take_item(std::string_view line) {
  finish_paragraph();
  const bool is_paragraph = is_indented_paragraph(line);
  if (!rules_.lists && !is_paragraph) return;
  is_item_ = !is_paragraph;
  line = trim(line.substr(std::min(line.find_first_not_of("*#:; \t"), line.size())));
  if (!is_row(line)) take_prose(line);
  finish_paragraph();
  is_item_ = false;
}

void LineWriter::take_prose(std::string_view line) {
  if (!paragraph_.empty() && !joins_without_blank(paragraph_, line)) paragraph_.push_back(' ');
  append_without_quotes(line, paragraph_);
}

void LineWriter::finish_paragraph() {
  if (paragraph_.empty()) return;
  clean(paragraph_);
  if (has_words(paragraph_)) {
    for (const Heading& heading : headings_) emit_heading(heading.text);
    headings_.clear();
    emit(paragraph_, is_item_);
  }
  paragraph_.clear();
}

void LineWriter::emit(std::string_view line, bool is_item) {
  const bool is_list = std::exchange(follows_item_, is_item) && is_item;
  if (rules_.parts_paragraphs && !lines_->empty() && !is_list) lines_->push_back('\n');
  lines_->append(line).push_back('\n');
}

void LineWriter::emit_heading(std::string_view source) {
  std::string text;
  append_without_quotes(source, text);
  clean(text);
  if (has_words(text)) emit(text, false);
}

void LineWriter::clean(std::string& text) {
  remove_addresses(text);
  remove_switches(text, rules_.table);
  remove_bars(text);
  remove_marks(text);
  mender_.mend(text, rules_.holes, losses_);
  // Brackets and tags that come together when something between them goes are taken away in the next round.
  for (int round = 0; round < kMaxRounds; ++round) {
    const std::size_t before = text.size();
    remove_tags(text);
    remove_brackets(text);
    if (rules_.has_code) settle_empty_brackets(text);
    tidy(text, rules_.french);
    if (text.size() == before) break;
  }
  if (rules_.has_code) restore_signs(text);
}

}  // namespace bertprep::clean
