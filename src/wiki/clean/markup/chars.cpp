#include "wiki/clean/markup/chars.h"

#include <algorithm>
#include <array>

#include "unicode/properties/mappings.h"

namespace bertprep::clean {

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
  return !text.empty() && text.size() < 5 && std::all_of(text.begin(), text.end(), is_ascii_digit);
}

// Empty when there is none.
std::string month_of(std::string_view month) {
  if (!is_number(month)) {
    const auto* found = std::find_if(kMonths.begin(), kMonths.end(), [&](std::string_view name) {
      return month.size() > 2 && name.starts_with(month) && (month.size() == 3 || month.size() == name.size());
    });
    return found == kMonths.end() ? std::string() : std::string(*found);
  }
  const int number = std::stoi(std::string(month));
  return number >= 1 && number <= 12 ? std::string(kMonths[static_cast<std::size_t>(number - 1)]) : std::string();
}

bool is_day(std::string_view day) {
  return is_number(day) && std::stoi(std::string(day)) >= 1 && std::stoi(std::string(day)) <= 31;
}

std::string_view without_zeros(std::string_view day) {
  while (day.size() > 1 && day.front() == '0') day.remove_prefix(1);
  return day;
}

}  // namespace

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

}  // namespace bertprep::clean
