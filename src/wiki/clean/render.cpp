#include "wiki/clean/render.h"

#include <algorithm>

#include "wiki/clean/inline.h"
#include "wiki/clean/links.h"
#include "wiki/clean/markup/chars.h"
#include "wiki/clean/markup/rests.h"
#include "wiki/clean/templates.h"

namespace bertprep::clean {
namespace {

constexpr int kDeepest = 24;
constexpr std::size_t kLongestOpenLink = 300;  // bytes in which the end of a link is looked for that lacks its `]]`

bool is_table_line(std::string_view line) {
  line = trim_left(line);
  return !line.empty() && (line.front() == '|' || line.front() == '!' || line.starts_with("{|"));
}

// A link closes the quotes of its label.
std::string quoted_on_its_own(std::string_view label) {
  std::string plain;
  append_without_quotes(label, plain);
  return plain;
}

}  // namespace

Renderer::Renderer(std::string_view text, std::span<const Mark> marks, const WikiSite& site, std::string_view title,
                   std::string_view language)
    : text_(text), marks_(marks), site_(site), title_(title), language_(language), table_(language_table(language)) {}

// Searches follow each other closely: this one begins where the last one ended.
std::size_t Renderer::first_mark(std::size_t from) const {
  constexpr std::size_t kNear = 8;
  const auto begins_before = [](const Mark& mark, std::size_t at) { return mark.begin < at; };
  std::size_t index = last_found_;
  for (std::size_t step = 0; step < kNear && index < marks_.size() && marks_[index].begin < from; ++step) ++index;
  for (std::size_t step = 0; step < kNear && index > 0 && marks_[index - 1].begin >= from; ++step) --index;
  const bool is_after = index == marks_.size() || marks_[index].begin >= from;
  const bool is_found = is_after && (index == 0 || marks_[index - 1].begin < from);
  if (!is_found) {
    index =
        static_cast<std::size_t>(std::lower_bound(marks_.begin(), marks_.end(), from, begins_before) - marks_.begin());
  }
  return last_found_ = index;
}

void Renderer::render(Span span, int depth, std::string& out) {
  if (depth > kDeepest) return;
  std::size_t at = span.begin;
  std::size_t index = first_mark(at);
  while (index < marks_.size() && marks_[index].begin < span.end) {
    const Mark& mark = marks_[index];
    out.append(text_.substr(at, mark.begin - at));
    const std::size_t size = out.size();
    at = render_mark(mark, span.end, depth, out);
    // Its quotes and those around it are not one.
    if (size > 0 && out.size() > size && out[size - 1] == '\'' && out[size] == '\'') out.insert(size, 1, kGapMark);
    if (at < span.end) keep_quotes_apart(out, text_.substr(at, 1));
    if (mark.kind == MarkKind::kTemplate) at = close_up(out, size, text_.substr(0, span.end), at);
    // What stood before these blanks is gone, and they must not make the line look preformatted.
    const bool at_line_start = out.empty() || out.back() == '\n' || out.back() == kBlockMark;
    while (at_line_start && at < span.end && is_blank(text_[at])) ++at;
    index = at > mark.begin + mark.width() ? first_mark(at) : index + 1;
  }
  if (at < span.end) out.append(text_.substr(at, span.end - at));
}

std::size_t Renderer::render_mark(const Mark& mark, std::size_t limit, int depth, std::string& out) {
  const std::size_t begin = mark.begin + mark.width();
  if (mark.is_open() || mark.end > limit) {
    switch (mark.kind) {
      case MarkKind::kLink:
        return take_open_link(begin, limit, depth, out);
      case MarkKind::kTable:
        out.push_back(kBlockMark);
        return skip_open_table(begin, limit);
      case MarkKind::kHtmlTable:
        return begin;
      default:
        return take_open_template(begin, limit, depth, out);
    }
  }
  const Span inside{begin, mark.end - mark.width()};
  if (mark.kind == MarkKind::kLink && is_lone_category(mark)) return mark.end;
  if (mark.kind == MarkKind::kLink) {
    render_link(inside, depth, out);
  } else if (mark.kind == MarkKind::kTemplate) {
    render_template(*this, inside, depth, out);
  } else if (mark.kind != MarkKind::kParameter) {
    out.push_back(kBlockMark);
  }
  return mark.end;
}

std::size_t Renderer::find_outside(Span span, char sign) const {
  std::size_t at = span.begin;
  std::size_t index = first_mark(at);
  while (at < span.end) {
    while (index < marks_.size() && marks_[index].is_open()) ++index;
    const std::size_t stop = index < marks_.size() ? std::min<std::size_t>(marks_[index].begin, span.end) : span.end;
    const std::size_t found = text_.substr(0, stop).find(sign, at);
    if (found != std::string_view::npos) return found;
    if (stop == span.end) break;
    at = marks_[index].end;
    index = first_mark(at);
  }
  return span.end;
}

std::vector<Span> Renderer::split(Span span) const {
  std::vector<Span> pieces;
  for (;;) {
    const std::size_t bar = find_outside(span, '|');
    pieces.push_back({span.begin, bar});
    if (bar == span.end) return pieces;
    span.begin = bar + 1;
  }
}

// A link without a label, or with a sort key of one sign, between line ends or other links.
bool Renderer::is_lone_category(const Mark& mark) const {
  const std::string_view inside = text_.substr(mark.begin + 2, mark.end - mark.begin - 4);
  const std::size_t bar = inside.find('|');
  if (bar != std::string_view::npos && trim(inside.substr(bar + 1)).size() > 1) return false;
  if (!looks_like_category(trim(inside.substr(0, bar)))) return false;
  if (inside.find("{{!}}") < bar) return false;
  std::size_t before = mark.begin;
  while (before > 0 && is_blank(text_[before - 1])) --before;
  std::size_t after = mark.end;
  while (after < text_.size() && is_blank(text_[after])) ++after;
  const bool is_first = before == 0 || text_[before - 1] == '\n' || text_[before - 1] == ']';
  return is_first && (after == text_.size() || text_[after] == '\n' || text_[after] == '[');
}

void Renderer::render_link(Span inside, int depth, std::string& out) {
  const std::size_t bar = find_outside(inside, '|');
  std::string target;
  render({inside.begin, bar}, depth + 1, target);
  // {{!}} is a bar, too.
  const std::size_t mark = first_mark(inside.begin);
  const bool has_marks = mark < marks_.size() && marks_[mark].begin < bar;
  const std::size_t written_bar = has_marks ? target.find('|') : target.npos;
  std::string label = written_bar == target.npos ? std::string() : target.substr(written_bar + 1);
  target.resize(std::min(written_bar, target.size()));
  const LinkTarget link = read_target(target, site_);
  if (link.kind == LinkKind::kNothing) return;
  for (std::size_t at = bar; at < inside.end;) {
    const std::size_t next = find_outside({at + 1, inside.end}, '|');
    std::string piece;
    render({at + 1, next}, depth + 1, piece);
    if (!trim(piece).empty()) label = quoted_on_its_own(piece);
    at = next;
  }
  const bool has_bar = bar < inside.end || written_bar != target.npos;
  if (has_bar && trim(label).empty()) {
    label = short_title(link.shown);
  } else if (!has_bar) {
    label = link.kind == LinkKind::kLabelOnly ? std::string() : std::string(link.shown);
  }
  out.append(label);
}

// Without its `]]` a link ends at a `]` of its line, or it is no link: then what stands before its bar vanishes.
std::size_t Renderer::take_open_link(std::size_t at, std::size_t limit, int depth, std::string& out) {
  const std::string_view window = text_.substr(at, std::min(limit - at, kLongestOpenLink));
  const std::string_view line = window.substr(0, window.find('\n'));
  const std::size_t stop = line.find_first_of("[]{");
  if (stop != std::string_view::npos && line[stop] == ']') {
    render_link({at, at + stop}, depth + 1, out);
    return at + stop + 1;
  }
  const std::size_t bar = line.substr(0, stop).find('|');
  const LinkTarget link = read_target(line.substr(0, std::min(bar, stop)), site_);
  if (link.kind == LinkKind::kNothing) return std::min(text_.find('\n', at), limit);
  return bar == std::string_view::npos ? at : at + bar + 1;
}

// A template without its end is read up to a single `}` of its line, else to the end of the line. One that begins a
// line takes the lines of arguments that follow.
std::size_t Renderer::take_open_template(std::size_t at, std::size_t limit, int depth, std::string& out) {
  const std::string_view line = text_.substr(at, std::min(text_.find('\n', at), limit) - at);
  const std::size_t brace = line.find('}');
  if (brace != std::string_view::npos) {
    render_template(*this, {at, at + brace}, depth + 1, out);
    return at + brace + 1;
  }
  std::size_t end = at + line.size();
  if (!at_line_begin(out)) out.push_back(kHoleMark);
  while (end < limit && is_table_line(text_.substr(end + 1, std::min<std::size_t>(limit - end - 1, 40)))) {
    end = std::min(text_.find('\n', end + 1), limit);
  }
  return end;
}

// A table without its end extends as far as its rows: to the next heading, or to an empty line that no row follows.
std::size_t Renderer::skip_open_table(std::size_t at, std::size_t limit) const {
  std::size_t end = std::min(text_.find('\n', at), limit);
  while (end < limit) {
    const std::size_t next = end + 1;
    const std::string_view line = text_.substr(next, std::min(text_.find('\n', next), limit) - next);
    if (line.starts_with("==")) return end;
    if (trim(line).empty()) {
      std::size_t row = next;
      while (row < limit && is_space(text_[row])) ++row;
      if (row == limit || !is_table_line(text_.substr(row, 4))) return end;
    }
    end = next + line.size();
  }
  return end;
}

}  // namespace bertprep::clean
