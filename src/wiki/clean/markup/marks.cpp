#include "wiki/clean/markup/marks.h"

#include <algorithm>

#include "unicode/byte_search.h"
#include "wiki/clean/markup/chars.h"

namespace bertprep::clean {

std::span<const Mark> MarkFinder::find(std::string_view text) {
  text_ = text;
  openings_.clear();
  marks_.clear();
  links_ = templates_ = tables_ = html_tables_ = 0;
  // Outside of all openings nothing closes and no line end matters.
  const auto next_sign = [&](std::size_t from) {
    if (openings_.empty()) return find_any<'{', '[', kTableOpenMark>(text, from);
    return find_any<'{', '}', '[', ']', '|', '\n', kTableOpenMark, kTableCloseMark>(text, from);
  };
  for (std::size_t at = next_sign(0); at < text.size(); at = next_sign(at)) {
    switch (text[at]) {
      case '{':
        at = take_open_braces(at);
        break;
      case '}':
        at = take_closed_braces(at);
        break;
      case '[':
        at = take_open_brackets(at);
        break;
      case ']':
        at = take_closed_brackets(at);
        break;
      case '\n':
        at = take_line_end(at);
        break;
      case '|': {
        const std::string_view rest = text.substr(at);
        const bool is_end = tables_ > 0 && rest.starts_with("|}") && (at_line_start(at) || is_among_blanks(at)) &&
                            (!rest.starts_with("|}}") || rest.starts_with("|}}}"));
        if (is_end) close_table(MarkKind::kTable, at + 2);
        at += is_end ? 2 : 1;
        break;
      }
      case kTableOpenMark:
        push(at++, 1, MarkKind::kHtmlTable);
        break;
      default:
        ++at;
        if (html_tables_ > 0) close_table(MarkKind::kHtmlTable, at);
        break;
    }
  }
  while (!openings_.empty()) give_up();
  std::sort(marks_.begin(), marks_.end(), [](const Mark& a, const Mark& b) { return a.begin < b.begin; });
  return marks_;
}

std::size_t MarkFinder::run(std::size_t at, char byte) const {
  std::size_t end = at;
  while (end < text_.size() && text_[end] == byte) ++end;
  return end - at;
}

bool MarkFinder::at_line_start(std::size_t at) const {
  while (at > 0 && (is_blank(text_[at - 1]) || text_[at - 1] == ':' || text_[at - 1] == '*' || text_[at - 1] == '#'))
    --at;
  return at == 0 || text_[at - 1] == '\n' || text_[at - 1] == kBlockMark;
}

// Corners of tables stand at line starts, or, where line ends were lost, among blanks.
bool MarkFinder::is_among_blanks(std::size_t at) const {
  const bool after_blank = at > 0 && is_blank(text_[at - 1]);
  return after_blank && (at + 2 >= text_.size() || is_space(text_[at + 2]));
}

void MarkFinder::push(std::size_t begin, std::size_t count, MarkKind kind) {
  openings_.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(count), kind, links_, templates_});
  if (kind == MarkKind::kLink) {
    ++links_;
    return;
  }
  links_ = 0;
  if (kind == MarkKind::kTemplate) {
    ++templates_;
  } else if (kind == MarkKind::kTable) {
    templates_ = 0;
    ++tables_;
  } else {
    ++html_tables_;
  }
}

void MarkFinder::pop() {
  const Opening& top = openings_.back();
  links_ = top.links_outside;
  templates_ = top.templates_outside;
  if (top.kind == MarkKind::kTable) --tables_;
  if (top.kind == MarkKind::kHtmlTable) --html_tables_;
  openings_.pop_back();
}

void MarkFinder::give_up() {
  const Opening& top = openings_.back();
  if (top.kind != MarkKind::kTemplate || top.count >= 2) marks_.push_back({top.begin, 0, top.kind});
  pop();
}

std::size_t MarkFinder::take_open_braces(std::size_t at) {
  const std::size_t count = run(at, '{');
  const bool before_bar = at + count < text_.size() && text_[at + count] == '|';
  if (count == 1) {
    if (before_bar && (at_line_start(at) || is_among_blanks(at))) push(at, 2, MarkKind::kTable);
  } else {
    push(at, count, MarkKind::kTemplate);
  }
  return at + count;
}

std::size_t MarkFinder::take_closed_braces(std::size_t at) {
  std::size_t count = run(at, '}');
  const std::size_t end = at + count;
  while (count >= 2 && templates_ > 0) {
    while (openings_.back().kind != MarkKind::kTemplate) give_up();
    Opening& top = openings_.back();
    const std::size_t width = std::min<std::size_t>({3, top.count, count});
    top.count -= static_cast<std::uint32_t>(width);
    at += width;
    count -= width;
    marks_.push_back({top.begin + top.count, static_cast<std::uint32_t>(at),
                      width == 3 ? MarkKind::kParameter : MarkKind::kTemplate});
    if (top.count < 2) pop();
  }
  return end;
}

std::size_t MarkFinder::take_open_brackets(std::size_t at) {
  const std::size_t count = run(at, '[');
  for (std::size_t begin = at + count % 2; begin < at + count; begin += 2) push(begin, 2, MarkKind::kLink);
  return at + count;
}

std::size_t MarkFinder::take_closed_brackets(std::size_t at) {
  const std::size_t end = at + run(at, ']');
  for (; end - at >= 2 && links_ > 0; at += 2) {
    marks_.push_back({openings_.back().begin, static_cast<std::uint32_t>(at + 2), MarkKind::kLink});
    pop();
  }
  return end;
}

void MarkFinder::close_table(MarkKind kind, std::size_t end) {
  while (openings_.back().kind != kind) give_up();
  marks_.push_back({openings_.back().begin, static_cast<std::uint32_t>(end), kind});
  pop();
}

std::size_t MarkFinder::take_line_end(std::size_t at) {
  std::size_t next = at + 1;
  while (next < text_.size() && is_blank(text_[next])) ++next;
  const bool is_empty = next == text_.size() || text_[next] == '\n';
  bool is_heading = false;
  if (!is_empty && text_[at + 1] == '=' && text_.substr(at + 1).starts_with("==")) {
    const std::string_view line = text_.substr(at + 1, text_.find('\n', at + 1) - at - 1);
    is_heading = trim_right(line).size() > 4 && trim_right(line).ends_with("==");
  }
  if (is_empty || is_heading) {
    while (!openings_.empty() && openings_.back().kind == MarkKind::kLink) give_up();
  }
  if (is_heading) {
    while (!openings_.empty() && openings_.back().kind != MarkKind::kTable) give_up();
  }
  return at + 1;
}

}  // namespace bertprep::clean
