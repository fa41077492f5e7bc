// Numbers as articles write them, and their conversion from unit to unit.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "wiki/clean/units.h"

namespace bertprep::clean {

struct Measure {
  double value = 0;
  int places = 0;     // decimals; negative for zeros at the end of a whole number
  std::string shown;  // as it is to be read: "1,300", "2 1/2"
};

// "1300", "1,300.5", "-3", "2+1/2", "6.2e3". Nothing when it is no number.
std::optional<Measure> read_measure(std::string_view text);

double converted(double value, const Unit& from, const Unit& to);

// How many decimals a converted value gets: as precise as the given one, with two digits at least.
int fitting_places(const Measure& given, double result, const Unit& from, const Unit& to);

// Rounded, with commas between thousands: "2,100"; "−5".
std::string written_number(double value, int places);

}  // namespace bertprep::clean
