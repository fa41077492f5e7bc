#include "wiki/clean/markup/chars.h"

#include <algorithm>
#include <array>

#include "base/number_text.h"
#include "unicode/properties/html_names.h"
#include "unicode/properties/mappings.h"

namespace bertprep::clean {
namespace {

template <bool kKeepsCapitals>
std::string without_first_capital(std::string_view text) {
  std::string name;
  text = trim(text);
  for (std::size_t i = 0; i < text.size();) {
    const bool is_small = !kKeepsCapitals || name.empty();
    if (is_word_byte(text[i]) && is_ascii(text[i])) {
      name.push_back(is_small ? ascii_lower(text[i]) : text[i]);
      ++i;
      continue;
    }
    const auto [code, bytes] = unicode::code_point_at(text, i);
    i += bytes;
    if (code == '_' || code == 0xA0 || code <= ' ') {
      if (!name.empty() && name.back() != ' ') name.push_back(' ');
    } else if (code != 0x200E && code != 0x200F) {
      unicode::append_utf8(is_small ? unicode::lower(code) : code, name);
    }
  }
  while (!name.empty() && name.back() == ' ') name.pop_back();
  return name;
}

constexpr std::array<std::string_view, 12> kMonths = {"January",   "February", "March",    "April",
                                                      "May",       "June",     "July",     "August",
                                                      "September", "October",  "November", "December"};

bool is_number(std::string_view text) {
  return text.size() < 5 && is_ascii_digits(text);
}

// Empty when there is none.
std::string month_of(std::string_view month) {
  if (!is_number(month)) {
    const auto* found = std::find_if(kMonths.begin(), kMonths.end(), [&](std::string_view name) {
      return month.size() > 2 && name.starts_with(month) && (month.size() == 3 || month.size() == name.size());
    });
    return std::string(found == kMonths.end() ? std::string_view() : *found);
  }
  const int number = std::stoi(std::string(month));
  return std::string(number >= 1 && number <= 12 ? kMonths[static_cast<std::size_t>(number - 1)] : std::string_view());
}

bool is_day(std::string_view day) {
  return is_number(day) && std::stoi(std::string(day)) >= 1 && std::stoi(std::string(day)) <= 31;
}

std::string_view without_zeros(std::string_view day) {
  while (day.size() > 1 && day.front() == '0') day.remove_prefix(1);
  return day;
}

constexpr std::size_t kLongestReference = 34;  // "&CounterClockwiseContourIntegral;" and some

std::optional<std::uint32_t> number_of(std::string_view digits) {
  const bool hex = !digits.empty() && ascii_lower(digits.front()) == 'x';
  if (hex) digits.remove_prefix(1);
  if (digits.size() > 8) return std::nullopt;
  const auto code = number_in<std::uint32_t>(digits, hex ? 16 : 10);
  return code && *code <= 0x10FFFF ? code : std::nullopt;
}

bool is_text_code(std::uint32_t code) {
  if (code < 0x20) return code == '\n' || code == '\t';
  return (code < 0x7F || code > 0x9F) && (code < 0xD800 || code > 0xDFFF) && (code & 0xFFFE) != 0xFFFE;
}

// Decodes what stands between `&` and `;`. False: no reference.
bool append_reference(std::string_view body, bool xml_only, std::string& out) {
  if (body.starts_with('#')) {
    const auto code = number_of(body.substr(1));
    if (code && is_text_code(*code)) unicode::append_utf8(*code, out);
    const bool is_number = std::all_of(body.begin() + 1, body.end(), is_ascii_alphanumeric);
    return code.has_value() || (!xml_only && is_number);  // &#1114112; is no character
  }
  if (xml_only && body != "lt" && body != "gt" && body != "amp" && body != "quot" && body != "apos") return false;
  const std::string_view characters = unicode::html5_characters(body);
  out.append(characters);
  return !characters.empty();
}

void unescape(std::string_view text, bool xml_only, std::string& out) {
  out.clear();
  out.reserve(text.size());
  std::size_t begin = 0;
  for (;;) {
    const std::size_t at = text.find('&', begin);
    out.append(text.substr(begin, at - begin));
    if (at == std::string_view::npos) return;
    if (const auto common = unicode::common_reference(text.substr(at + 1)); !common.text.empty()) {
      out.push_back(common.character);
      begin = at + 1 + common.text.size();
      continue;
    }
    const std::string_view window = text.substr(at + 1, kLongestReference);
    const std::size_t end = window.find(';');
    if (end != std::string_view::npos && append_reference(window.substr(0, end), xml_only, out)) {
      begin = at + end + 2;
    } else {
      out.push_back('&');
      begin = at + 1;
    }
  }
}

}  // namespace

std::string_view trim_left(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  return text;
}

std::string_view trim_right(std::string_view text) {
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view trim(std::string_view text) {
  return trim_right(trim_left(text));
}

bool has_word(std::string_view words, std::string_view word) {
  bool is_found = false;
  for_each_item(words, " ", [&](std::string_view one) { is_found = is_found || one == word; });
  return is_found;
}

std::string normal_name(std::string_view text) {
  return without_first_capital<false>(text);
}

std::string page_name(std::string_view text) {
  return without_first_capital<true>(text);
}

bool at_line_begin(std::string_view text) {
  constexpr std::size_t kFarthest = 16;
  const bool is_whole = text.size() <= kFarthest;
  text.remove_prefix(is_whole ? 0 : text.size() - kFarthest);
  const std::size_t last = text.find_last_not_of(" \t\x0E\x0F");
  if (last == std::string_view::npos) return is_whole;
  return text[last] == '\n' || text[last] == kBlockMark;
}

void keep_quotes_apart(std::string& out, std::string_view next) {
  if (out.ends_with('\'') && next.starts_with('\'')) out.push_back(kGapMark);
}

std::string written_date(std::string_view year, std::string_view month, std::string_view day, bool month_first) {
  if (month.empty() && day.empty()) return std::string(year);
  const std::string name = month_of(month);
  if (!is_number(year) || name.empty() || (!day.empty() && !is_day(day))) return {};
  if (day.empty()) return name + " " + std::string(year);
  const std::string number(without_zeros(day));
  return month_first ? name + " " + number + ", " + std::string(year) : number + " " + name + " " + std::string(year);
}

void append_as_reference(char sign, std::string& out) {
  out.append("&#").append(std::to_string(static_cast<int>(sign))).push_back(';');
}

void unescape_xml(std::string_view text, std::string& out) {
  unescape(text, true, out);
}

void unescape_html(std::string& text) {
  for (int pass = 0; pass < 2 && text.find('&') != std::string::npos; ++pass) {
    std::string out;
    unescape(text, false, out);
    text.swap(out);
  }
}

}  // namespace bertprep::clean
