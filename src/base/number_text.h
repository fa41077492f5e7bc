// Numbers as text, as the reference writes them into names of folders and as people read them, and from text.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

namespace bertprep {

// The shortest decimal that reads back as the same double, in the form of Python's str(): 0.1, 1.0, 1e-05.
std::string shortest_decimal(double value);

// An integer of any size in canonical form: no leading zeros, no plus sign, "-0" is "0". Throws ConfigError if the text
// is not a decimal integer.
std::string canonical_integer(std::string_view text);

// The number that is all of `text`, as std::from_chars reads it; nothing when the text is another one.
template <class Number>
std::optional<Number> number_in(std::string_view text, [[maybe_unused]] int base = 10) {
  Number number{};
  std::from_chars_result read{};
  if constexpr (std::is_integral_v<Number>) {
    read = std::from_chars(text.data(), text.data() + text.size(), number, base);
  } else {
    read = std::from_chars(text.data(), text.data() + text.size(), number);
  }
  return read.ec == std::errc{} && read.ptr == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

// With zeros in front where the number has fewer digits.
std::string padded_number(std::uint64_t value, std::size_t digits);

// The elements of a list as `text_of` says them, with `between` them.
template <class List, class TextOf = std::identity>
std::string joined(const List& list, std::string_view between = ", ", TextOf text_of = {}) {
  std::string text;
  for (auto element = std::begin(list); element != std::end(list); ++element) {
    if (element != std::begin(list)) text += between;
    text += std::invoke(text_of, *element);
  }
  return text;
}

// The parts of a list in a text; of an empty one an empty part.
std::vector<std::string_view> split(std::string_view text, char between);

// "a, b", or "a, b, c, d, e ..." of more names.
std::string first_names(std::span<const std::string> names);

// "512 x 20" of the dimensions of an array.
template <class Dimensions>
std::string shape_text(const Dimensions& shape, std::string_view between = " x ") {
  return joined(shape, between, [](auto size) { return std::to_string(size); });
}

// What part of `whole` is `part`; 0 of nothing.
double share_of(std::uint64_t part, std::uint64_t whole);

// With so many digits behind the point; `rounded` leaves out zeros at the end.
std::string decimal(double value, int digits);
std::string rounded(double value, int most_digits = 6);

std::string grouped(std::uint64_t value);                          // "1,234,567"
std::string counted(std::uint64_t value, std::string_view thing);  // "1 row", "2,000 rows"
// With the verb that agrees: "1 row is", "2 rows are"; "1 of 5 rows is".
std::string counted(std::uint64_t value, std::string_view thing, std::string_view of_one, std::string_view of_many);
std::string counted_of(std::uint64_t part, std::uint64_t whole, std::string_view thing, std::string_view of_one,
                       std::string_view of_many);

// "MCMXLIX"; nothing for a number that is not from 1 to 3999.
std::string roman_numeral(std::int64_t number);

std::string count_text(std::uint64_t count);        // "1,234"; "-" for 0
std::string bytes_text(std::uint64_t bytes);        // "11.9 MB", decimal units
std::string duration_text(double seconds);          // "0.8 s", "3 min 20 s", "2 h 5 min"
std::string rounded_duration_text(double seconds);  // in whole seconds: "1 s"

// A time in UTC, in a form of strftime().
std::string utc_text(std::time_t time, const char* form);

// A count as people write it: a whole number, or a decimal one with k, M or G (powers of 1000): 30000, 30k, 1.5M.
// Nothing for other text, and for one that is not a whole number.
std::optional<std::int64_t> count_in(std::string_view text);

// A size in bytes: a decimal number, optionally followed by K, M, G, T or KiB and so on (powers of 1024), or by KB and
// so on (powers of 1000), in any case. Throws ConfigError naming `option` for other text, less than 1 byte, or more
// than 4e18.
std::uint64_t size_in_bytes(std::string_view text, std::string_view option);

}  // namespace bertprep
