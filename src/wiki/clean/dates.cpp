#include "wiki/clean/dates.h"

#include <algorithm>
#include <array>

#include "wiki/clean/chars.h"

namespace bertprep::clean {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"January",   "February", "March",    "April",
                                                      "May",       "June",     "July",     "August",
                                                      "September", "October",  "November", "December"};

bool is_number(std::string_view text) {
  return !text.empty() && text.size() < 5 && std::all_of(text.begin(), text.end(), is_digit);
}

std::string month_of(std::string_view month) {
  if (!is_number(month)) return std::string(month);
  const int number = std::stoi(std::string(month));
  return number >= 1 && number <= 12 ? std::string(kMonths[static_cast<std::size_t>(number - 1)]) : std::string();
}

std::string_view without_zeros(std::string_view day) {
  while (day.size() > 1 && day.front() == '0') day.remove_prefix(1);
  return day;
}

}  // namespace

std::string written_date(std::string_view year, std::string_view month, std::string_view day, bool month_first) {
  const std::string name = month_of(month);
  if (!is_number(year) || name.empty()) return std::string(year);
  if (!is_number(day)) return name + " " + std::string(year);
  const std::string number(without_zeros(day));
  return month_first ? name + " " + number + ", " + std::string(year) : number + " " + name + " " + std::string(year);
}

}  // namespace bertprep::clean
