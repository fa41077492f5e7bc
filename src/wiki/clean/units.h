// Units of measure: names, symbols, size, and what they are converted into unless the article says.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bertprep::clean {

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
  kDensity,        // mass by volume
  kPopulation,     // inhabitants by area
  kNumberDensity,  // number by area
  kAcceleration,
  kFlow,
  kFuelUse,
  kPrice,  // of mass
};

struct Unit {
  std::string_view code;
  Quantity quantity;
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

}  // namespace bertprep::clean
