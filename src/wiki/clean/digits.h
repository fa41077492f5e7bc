// Numbers in digits, in the way of a language.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace bertprep::clean {

// How numbers are written: "1.234,5" has "." and ",".
struct NumberSigns {
  std::string_view group = ",";
  std::string_view point = ".";
  std::size_t least = 4;  // digits of a whole number that are grouped: five for "1234" and "12 345"
};

// "12", "-3". Nothing for any other text.
std::optional<int> whole_number(std::string_view text);

// "1234567.5" with groups of three digits: "1,234,567.5". What follows the first digits stands as it is.
std::string group_digits(std::string_view number, const NumberSigns& signs = {});

// "-1234.5", as an editor types it, in the way of the language: "-1 234,5"; "1234,5", too, where a comma is the decimal
// point. Other text stays unchanged, as does all text if `signs` is null.
std::string localized_number(std::string_view number, const NumberSigns* signs);

// "250000 people", "12.5 million": the same for each number between blanks, but not for "2010-2011".
std::string localized_text(std::string_view text, const NumberSigns* signs);

// "1,234.5", as group_digits() writes it, in the way of the language.
std::string localized_groups(std::string_view number, const NumberSigns& signs);

}  // namespace bertprep::clean
