#include "wiki/markup/line_filter.h"

#include <algorithm>

#include "unicode/byte_search.h"
#include "wiki/markup/edits.h"

namespace bertprep {
namespace {

// The line feed that ends the line at `from` if that has no word; kNotFound if it does, or if the text ends first.
std::size_t end_of_nonword_line(std::string_view text, std::size_t from, const unicode::WordCharacters& words) {
  for (std::size_t at = from; at < text.size();) {
    if (text[at] == '\n') return at;
    const unicode::CodePoint c = unicode::code_point_at(text, at);
    if (words.is_word(c.value)) return kNotFound;
    at += c.bytes;
  }
  return kNotFound;
}

bool is_table(std::string_view line) {
  return line.front() == '{' || line.front() == '|' || line.back() == '}';
}

bool is_remark(std::string_view line) {
  return (line.front() == '(' && line.back() == ')') || line.find_first_not_of(".-") == line.npos;
}

class LineFilter {
 public:
  explicit LineFilter(std::string& lines) : lines_(lines) {}

  void take(std::string_view line) {
    if (line.empty()) {
      take_empty();
    } else if (line.starts_with("==") && line.find("==", 2) != line.npos) {
      in_heading_ = true;
      in_list_ = false;
    } else if (line.starts_with("++")) {
      take_plus(line);
    } else if (line.front() == ':') {
      return;
    } else if (line.front() == '*' || line.front() == '#' || line.front() == ';') {
      in_list_ = true;
    } else if (in_list_) {
      in_list_ = false;
      emit(line);
    } else if (is_table(line) || is_remark(line)) {
      return;
    } else if (in_heading_ || line.front() != ' ') {
      in_heading_ = false;
      emit(line);
    }
  }

 private:
  void take_empty() {
    if (in_list_ || last_has_text_) emit({});
    in_list_ = false;
  }

  // ++line++ is a converted heading.
  void take_plus(std::string_view line) {
    for (int i = 0; i < 2 && line.size() > 2; ++i)
      line.remove_suffix(unicode::code_point_before(line, line.size()).bytes);
    line.remove_prefix(2);
    if (line.empty()) return;
    emit(line);
    if (line.back() == '!' || line.back() == '?') return;
    lines_.back() = '.';
    lines_ += '\n';
  }

  void emit(std::string_view line) {
    lines_ += line;
    lines_ += '\n';
    last_has_text_ = !line.empty();
  }

  std::string& lines_;
  bool in_heading_ = false;  // no line of text since the last heading
  bool in_list_ = false;
  bool last_has_text_ = false;
};

constexpr std::string_view kLeftGuillemet = "\u00AB", kRightGuillemet = "\u00BB";

std::size_t find_run(std::string_view text, std::size_t from) {
  return find_bytes(text, from, [](ByteBlock here, ByteBlock next) {
    const ByteBlock pairs = (here == ' ') | (here == '.') | (here == '<') | (here == '>');
    return (pairs & (here == next)) | (here == '\t');
  });
}

std::size_t end_of_run(std::string_view text, std::size_t from, std::string_view of) {
  return std::min(text.find_first_not_of(of, from), text.size());
}

bool replace_each(std::string_view text, std::string_view what, std::string_view by, std::string& out) {
  Edits edits(text, out);
  for (std::size_t at = text.find(what); at != kNotFound; at = text.find(what, at + what.size())) {
    edits.replace(at, at + what.size(), by);
  }
  return edits.finish();
}

// Replaces one, then the other.
bool replace_both(std::string_view text, std::string_view first, std::string_view by_first, std::string_view second,
                  std::string_view by_second, std::string& spare, std::string& out) {
  const bool changed = replace_each(text, first, by_first, out);
  if (!replace_each(changed ? out : text, second, by_second, spare)) return changed;
  out.swap(spare);
  return true;
}

}  // namespace

bool drop_nonword_lines(std::string_view text, const unicode::WordCharacters& words, std::string& out) {
  Edits edits(text, out);
  for (std::size_t feed = find_byte(text, '\n'); feed != kNotFound;) {
    // A line feed right after the first one counts as the required character.
    const bool is_blank_line = text.substr(feed + 1).starts_with('\n');
    const std::size_t end = end_of_nonword_line(text, feed + (is_blank_line ? 2 : 1), words);
    if (end != kNotFound) {
      edits.erase(feed + 1, end + 1);
      feed = find_byte(text, '\n', end + 1);
    } else {
      feed = find_byte(text, '\n', feed + 1);
    }
  }
  return edits.finish();
}

void filter_lines(std::string_view text, std::string& lines) {
  LineFilter filter(lines);
  std::size_t begin = 0;
  for (std::size_t end = find_byte(text, '\n'); end != text.npos; end = find_byte(text, '\n', begin)) {
    filter.take(text.substr(begin, end - begin));
    begin = end + 1;
  }
  filter.take(text.substr(begin));
}

bool shorten_runs(std::string_view text, std::string& out) {
  Edits edits(text, out);
  std::size_t end = 0;
  for (std::size_t at = find_run(text, 0); at != kNotFound; at = find_run(text, end)) {
    const char c = text[at];
    if (c == ' ' || c == '\t') {
      const std::size_t begin = c == '\t' && at > end && text[at - 1] == ' ' ? at - 1 : at;
      end = end_of_run(text, at, " \t");
      edits.replace(begin, end, " ");
    } else if (c == '.') {
      end = end_of_run(text, at, ".");
      if (end - at > 3) edits.erase(at + 3, end);
    } else {
      end = at + 2;
      edits.replace(at, end, c == '<' ? kLeftGuillemet : kRightGuillemet);
    }
  }
  return edits.finish();
}

bool close_up_brackets(std::string_view text, std::string& spare, std::string& out) {
  const std::size_t bracket = find_bytes(text, 0, [](ByteBlock here, ByteBlock next) {
    return ((here == ')') & (next == ']')) | ((here == '[') & (next == '('));
  });
  if (bracket == kNotFound) return false;
  return replace_both(text, " ,:.)]\u00BB", ",:.)]\u00BB", "[(\u00AB ", "[(\u00AB", spare, out);
}

bool shorten_commas(std::string_view text, std::string& spare, std::string& out) {
  const std::size_t comma = find_bytes(
      text, 0, [](ByteBlock here, ByteBlock next) { return (here == ',') & ((next == ',') | (next == '.')); });
  if (comma == kNotFound) return false;
  return replace_both(text, ",,", ",", ",.", ".", spare, out);
}

}  // namespace bertprep
