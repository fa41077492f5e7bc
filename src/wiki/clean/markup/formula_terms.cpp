#include "wiki/clean/markup/formula_terms.h"

#include <algorithm>
#include <utility>

#include "unicode/properties/properties.h"
#include "wiki/clean/markup/chars.h"

namespace bertprep::clean {

Line plain(std::string_view text) {
  return {std::string(text), Tail::kPlain, 0};
}

namespace {

bool is_digit(char32_t c) {
  return unicode::is_decimal_digit(c);
}

char32_t first_of(std::string_view text) {
  return text.empty() ? U' ' : unicode::code_point_at(text, 0).value;
}

char32_t last_of(std::string_view text) {
  return text.empty() ? U' ' : unicode::code_point_before(text, text.size()).value;
}

// Whether what begins with `c` is a factor of what stands before it.
bool begins_factor(char32_t c) {
  return is_letter_or_digit(c) || std::u32string_view(U"([{√∛∜∑∏∫∬∭∮∂∇∞|‖⌊⌈⟨").find(c) != std::u32string_view::npos;
}

bool ends_factor(char32_t c) {
  return is_letter_or_digit(c) || std::u32string_view(U")]}∂∇∞|‖⌋⌉⟩′!").find(c) != std::u32string_view::npos;
}

void put_tail_in_brackets(Line& line) {
  const std::size_t end = line.text.find_last_not_of(' ') + 1;
  line.text.insert(end, ")").insert(line.tail_begin, "(");
  line.tail = Tail::kPlain;
}

// What must stand between a line and `next`, so that neither takes a part of the other. Blanks mean nothing in TeX.
std::string_view between(const Line& line, std::string_view next, bool is_word) {
  const char32_t last = last_of(line.text);
  const char32_t first = first_of(next);
  if (last == ' ' || first == ' ') return "";
  if (line.tail == Tail::kWord) return first == '_' || first == '^' || first == '(' || first == ')' ? "" : " ";
  if (is_word && is_letter_or_digit(last)) return " ";
  if (line.tail == Tail::kRoot && begins_factor(first)) return " ";
  if (line.tail != Tail::kScript || !is_letter_or_digit(first)) return "";
  return is_digit(last) && !is_digit(first) ? "" : " ";
}

// A fraction beside a factor goes into brackets, unless it makes a mixed number.
std::string fitted_fraction(const Line& line, std::string fraction) {
  const std::string_view before = trim_right(line.text);
  const char32_t last = last_of(before);
  if (line.tail == Tail::kWord || line.tail == Tail::kFraction) return "(" + fraction + ")";
  if (!ends_factor(last)) return fraction;
  const bool is_mixed = line.tail == Tail::kPlain && is_digit(last) &&
                        is_number(fraction.substr(0, fraction.find('/'))) &&
                        is_number(fraction.substr(std::min(fraction.find('/') + 1, fraction.size())));
  if (!is_mixed) return "(" + fraction + ")";
  return before.size() < line.text.size() ? fraction : " " + fraction;
}

}  // namespace

bool is_letter_or_digit(char32_t c) {
  return c != '_' && (unicode::is_word_not_digit(c) || is_digit(c) || unicode::is_nonspacing_mark(c));
}

bool is_simple(std::string_view text, bool is_strict) {
  char32_t before = U' ';
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) {
    const auto [c, bytes] = unicode::code_point_at(text, at);
    at += bytes;
    const bool is_mixed = is_strict && is_digit(before) && !is_digit(c) && c != '.';
    if (is_mixed || !(is_letter_or_digit(c) || c == '.' || c == U'′')) return at == text.size() && count == 0;
    before = c;
  }
  return true;
}

std::string grouped(std::string_view text, bool is_strict) {
  return is_simple(text, is_strict) ? std::string(text) : "(" + std::string(text) + ")";
}

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_ascii_digit);
}

void join(Line& line, Line next) {
  if (next.text.empty()) return;
  if (next.text == " ") {
    line.text.push_back(' ');
    return;
  }
  if (next.is_fraction()) {
    const std::size_t size = next.text.size();
    next.text = fitted_fraction(line, std::move(next.text));
    if (next.text.size() != size) next.tail = Tail::kPlain;
  }
  const char32_t first = first_of(next.text);
  const bool is_raised = first == '^' || first == '_' || first == '!' || first == '\'' || first == U'′';
  const bool is_bound = line.tail == Tail::kFraction && (is_raised || begins_factor(first));
  if (is_bound || (line.tail == Tail::kRoot && is_raised)) put_tail_in_brackets(line);
  line.text.append(between(line, next.text, next.tail == Tail::kWord));
  line.tail = next.tail;
  line.tail_begin = line.text.size() + next.tail_begin;
  line.text.append(next.text);
}

}  // namespace bertprep::clean
