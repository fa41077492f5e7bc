// Numbers as articles write them, and their conversion from unit to unit.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bertprep::clean {

// Units of measure: names, symbols, size, and what they are converted into unless the article says.
enum class Quantity {
  kLength,
  kArea,
  kVolume,
  kMass,
  kSpeed,
  kTemperature,
  kPower,
  kEnergy,
  kForce,
  kTorque,
  kPressure,
  kDensity,     // mass by volume
  kPopulation,  // number by area
  kFlow,
  kFuelUse,
  kTime,
};

struct Unit {
  std::string_view code;
  Quantity quantity;
  double size;  // in the quantity's base unit: m, m2, m3, kg, m/s, K, W, J, N, N m, Pa, kg/m3, 1/m2, m3/s, m/m3, s
  std::string_view symbol;
  std::string_view singular;
  std::string_view plural;
  std::string_view target;  // codes, parted by a blank
  double zero = 0;          // of temperatures: the base value of 0
};

// By code or by another spelling of it: "km2", "sqkm", "kilometres". Null: not known.
const Unit* find_unit(std::string_view code);

// "kilometers" of "kilometres".
std::string american_spelling(std::string_view name);

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
