// Numbers as articles write them, and their conversion from unit to unit.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "wiki/clean/units.h"

namespace bertprep::clean {

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
