// Numbers in digits and words, in the way of a language; measures, their units, and their conversion from unit to unit.
#pragma once

#include "base/number_text.h"

namespace bertprep::clean {

// How numbers are written: "1.234,5" has "." and ",".
struct NumberSigns {
  std::string_view group = ",";
  std::string_view point = ".";
  std::size_t least = 4;  // digits of a whole number that are grouped: five for "1234" and "12 345"
};

// "12", "-3". Nothing for any other text.
inline std::optional<int> whole_number(std::string_view text) {
  return number_in<int>(text);
}

// "1234567.5" with groups of three digits: "1,234,567.5". What follows the first digits stands as it is.
std::string group_digits(std::string_view number, const NumberSigns& signs = {});

// "-1234.5", as an editor types it, in the way of the language: "-1 234,5"; "1234,5", too, where a comma is the decimal
// point. Other text stays unchanged, as does all text if `signs` is null.
std::string localized_number(std::string_view number, const NumberSigns* signs);

// "250000 people", "12.5 million": the same for each number between blanks, but not for "2010-2011".
std::string localized_text(std::string_view text, const NumberSigns* signs);

// "1,234.5", as group_digits() writes it, in the way of the language.
std::string localized_groups(std::string_view number, const NumberSigns& signs);

// A unit of measure: names, symbols, size, and what it is converted into unless the article says.
struct Unit {
  std::string_view code;
  std::string_view quantity;  // as units.txt names it: "length", "number density" (number by area), "price" (of mass)
  // In the quantity's base unit: m, m2, m3, kg, m/s, K, W, J, N, N m, Pa, kg/m3, 1/m2, m3/s, m/m3, m/s2, 1/kg.
  double size;
  std::string_view symbol;
  std::string_view singular;
  std::string_view plural;
  std::string_view target;  // codes, parted by a blank
  double zero = 0;          // of temperatures: the base value of 0
  bool is_inverse = false;  // a value is `size` by the base value: litres per 100 km
};

// By code or by another spelling of it, with their capitals: "km2", "sqkm", "kilometres". Null: not known.
const Unit* find_unit(std::string_view code);

// A unit in thousands, millions and so on: "e6acre".
struct ScaledUnit {
  const Unit* unit = nullptr;
  int power = 0;

  std::string power_name(bool is_short) const;  // " million", "×10^6"; empty for 0
  double base_of(double value) const;
  double value_of(double base) const;
};
std::optional<ScaledUnit> find_scaled_unit(std::string_view code);

// "kilometers" of "kilometres".
std::string american_spelling(std::string_view name);

struct Measure {
  double value = 0;
  double precision = 0;  // decimals; negative for zeros at the end of a whole number; the logarithm of a denominator
  std::string shown;     // as it is to be read: "1,300", "2 1/2"
};

// "1300", "1,300.5", "-3", "2+1/2", "6.2e3". Nothing when it is no number.
std::optional<Measure> read_measure(std::string_view text);

// What is converted.
struct Given {
  double value = 0;
  double precision = 0;
  ScaledUnit unit;
  bool ends_in_inches = false;  // the inches of 5 ft 10 in
};

double converted(const Given& given, const ScaledUnit& to);

// How many decimals a converted value gets, as the English Wikipedia's {{convert}} decides it (Module:Convert): the
// given number's precision and the ratio of the values, but at least two digits; of temperatures three, of the kelvins.
int fitting_places(const Given& given, double result, const ScaledUnit& to);

// Decimals that give `digits` digits.
int places_for_digits(double value, int digits);

// Rounded, with commas between thousands: "2,100"; "−5".
std::string written_number(double value, int places);

// "two hundred and five", with `american` "two hundred five". Empty unless it is an integer below a billion.
std::string spelled_number(double value, bool american);

}  // namespace bertprep::clean
