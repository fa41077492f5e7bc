#include "wiki/line_filter.h"

#include <cstddef>

#include "wiki/markup_bytes.h"
#include "wiki/word_characters.h"

namespace bertprep {
namespace {

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

  // ++line++ is a heading that became text.
  void take_plus(std::string_view line) {
    for (int i = 0; i < 2 && line.size() > 2; ++i) line.remove_suffix(code_point_before(line, line.size()).bytes);
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

}  // namespace

void filter_lines(std::string_view text, std::string& lines) {
  LineFilter filter(lines);
  std::size_t begin = 0;
  for (std::size_t end = find_byte(text, '\n'); end != text.npos; end = find_byte(text, '\n', begin)) {
    filter.take(text.substr(begin, end - begin));
    begin = end + 1;
  }
  filter.take(text.substr(begin));
}

}  // namespace bertprep
