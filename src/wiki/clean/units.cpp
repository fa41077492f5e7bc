#include "wiki/clean/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "wiki/clean/markup/chars.h"

namespace bertprep::clean {
namespace {

using Q = Quantity;

constexpr int kMaxPower = 15;

// clang-format off
constexpr std::array kUnits = std::to_array<Unit>({
    {"km", Q::kLength, 1000, "km", "kilometre", "kilometres", "mi"},
    {"m", Q::kLength, 1, "m", "metre", "metres", "ft"},
    {"dm", Q::kLength, 0.1, "dm", "decimetre", "decimetres", "in"},
    {"cm", Q::kLength, 0.01, "cm", "centimetre", "centimetres", "in"},
    {"mm", Q::kLength, 0.001, "mm", "millimetre", "millimetres", "in"},
    {"μm", Q::kLength, 1e-6, "μm", "micrometre", "micrometres", "in"},
    {"nm", Q::kLength, 1e-9, "nm", "nanometre", "nanometres", "in"},
    {"mi", Q::kLength, 1609.344, "mi", "mile", "miles", "km"},
    {"yd", Q::kLength, 0.9144, "yd", "yard", "yards", "m"},
    {"ft", Q::kLength, 0.3048, "ft", "foot", "feet", "m"},
    {"in", Q::kLength, 0.0254, "in", "inch", "inches", "mm"},
    {"nmi", Q::kLength, 1852, "nmi", "nautical mile", "nautical miles", "km mi"},
    {"fathom", Q::kLength, 1.8288, "fathom", "fathom", "fathoms", "ft m"},
    {"chain", Q::kLength, 20.1168, "chain", "chain", "chains", "ft m"},
    {"rod", Q::kLength, 5.0292, "rod", "rod", "rods", "ft m"},
    {"furlong", Q::kLength, 201.168, "furlong", "furlong", "furlongs", "ft m"},
    {"league", Q::kLength, 4828.032, "league", "league", "leagues", "km"},
    {"hand", Q::kLength, 0.1016, "h", "hand", "hands", "in cm"},
    {"verst", Q::kLength, 1066.8, "verst", "verst", "versts", "km mi"},
    {"pc", Q::kLength, 3.0856775814913673e16, "pc", "parsec", "parsecs", "ly"},
    {"kpc", Q::kLength, 3.0856775814913673e19, "kpc", "kiloparsec", "kiloparsecs", "kly"},
    {"ly", Q::kLength, 9.4607304725808e15, "ly", "light-year", "light-years", "pc"},
    {"kly", Q::kLength, 9.4607304725808e18, "kly", "kilolight-year", "kilolight-years", "kpc"},
    {"au", Q::kLength, 149597870700.0, "au", "astronomical unit", "astronomical units", "km mi"},
    {"solar radius", Q::kLength, 695700e3, "R☉", "solar radius", "solar radii", "km"},
    {"km2", Q::kArea, 1e6, "km2", "square kilometre", "square kilometres", "sqmi"},
    {"m2", Q::kArea, 1, "m2", "square metre", "square metres", "sqft"},
    {"cm2", Q::kArea, 1e-4, "cm2", "square centimetre", "square centimetres", "sqin"},
    {"mm2", Q::kArea, 1e-6, "mm2", "square millimetre", "square millimetres", "sqin"},
    {"ha", Q::kArea, 1e4, "ha", "hectare", "hectares", "acre"},
    {"sqmi", Q::kArea, 2589988.110336, "sq mi", "square mile", "square miles", "km2"},
    {"sqyd", Q::kArea, 0.83612736, "sq yd", "square yard", "square yards", "m2"},
    {"sqft", Q::kArea, 0.09290304, "sq ft", "square foot", "square feet", "m2"},
    {"sqin", Q::kArea, 0.00064516, "sq in", "square inch", "square inches", "cm2"},
    {"sqnmi", Q::kArea, 3429904, "sq nmi", "square nautical mile", "square nautical miles", "km2 sqmi"},
    {"acre", Q::kArea, 4046.8564224, "acres", "acre", "acres", "ha"},
    {"m3", Q::kVolume, 1, "m3", "cubic metre", "cubic metres", "cuft"},
    {"km3", Q::kVolume, 1e9, "km3", "cubic kilometre", "cubic kilometres", "cumi"},
    {"cm3", Q::kVolume, 1e-6, "cm3", "cubic centimetre", "cubic centimetres", "cuin"},
    {"cc", Q::kVolume, 1e-6, "cc", "cubic centimetre", "cubic centimetres", "cuin"},
    {"l", Q::kVolume, 1e-3, "L", "litre", "litres", "impgal USgal"},
    {"ml", Q::kVolume, 1e-6, "mL", "millilitre", "millilitres", "impoz USoz"},
    {"cl", Q::kVolume, 1e-5, "cL", "centilitre", "centilitres", "impoz USoz"},
    {"hl", Q::kVolume, 0.1, "hL", "hectolitre", "hectolitres", "impgal USgal"},
    {"megalitre", Q::kVolume, 1e3, "ML", "megalitre", "megalitres", "acre.ft"},
    {"cuft", Q::kVolume, 0.028316846592, "cu ft", "cubic foot", "cubic feet", "m3"},
    {"cuin", Q::kVolume, 1.6387064e-5, "cu in", "cubic inch", "cubic inches", "cm3"},
    {"cuyd", Q::kVolume, 0.764554857984, "cu yd", "cubic yard", "cubic yards", "m3"},
    {"cumi", Q::kVolume, 4.168181825440579584e9, "cu mi", "cubic mile", "cubic miles", "km3"},
    {"usgal", Q::kVolume, 3.785411784e-3, "US gal", "US gallon", "US gallons", "L impgal"},
    {"impgal", Q::kVolume, 4.54609e-3, "imp gal", "imperial gallon", "imperial gallons", "L USgal"},
    {"usqt", Q::kVolume, 9.46352946e-4, "US qt", "US quart", "US quarts", "L"},
    {"uspt", Q::kVolume, 4.73176473e-4, "US pt", "US pint", "US pints", "L"},
    {"imppt", Q::kVolume, 5.6826125e-4, "imp pt", "imperial pint", "imperial pints", "L"},
    {"usoz", Q::kVolume, 2.95735295625e-5, "US fl oz", "US fluid ounce", "US fluid ounces", "ml"},
    {"impoz", Q::kVolume, 2.84130625e-5, "imp fl oz", "imperial fluid ounce", "imperial fluid ounces", "ml"},
    {"usbsh", Q::kVolume, 0.03523907016688, "US bsh", "US bushel", "US bushels", "L"},
    {"oilbbl", Q::kVolume, 0.158987294928, "bbl", "barrel", "barrels", "m3"},
    {"moilbbl", Q::kVolume, 158987.294928, "million barrels", "million barrels", "million barrels", "m3"},
    {"acre.ft", Q::kVolume, 1233.48183754752, "acre⋅ft", "acre-foot", "acre-feet", "m3"},
    {"kg", Q::kMass, 1, "kg", "kilogram", "kilograms", "lb"},
    {"g", Q::kMass, 1e-3, "g", "gram", "grams", "oz"},
    {"mg", Q::kMass, 1e-6, "mg", "milligram", "milligrams", "gr"},
    {"t", Q::kMass, 1000, "t", "tonne", "tonnes", "LT ST"},
    {"mt", Q::kMass, 1e9, "Mt", "megatonne", "megatonnes", "LT ST"},
    {"lb", Q::kMass, 0.45359237, "lb", "pound", "pounds", "kg"},
    {"oz", Q::kMass, 0.028349523125, "oz", "ounce", "ounces", "g"},
    {"ozt", Q::kMass, 0.0311034768, "ozt", "troy ounce", "troy ounces", "g"},
    {"gr", Q::kMass, 6.479891e-5, "gr", "grain", "grains", "g"},
    {"st", Q::kMass, 6.35029318, "st", "stone", "stone", "lb kg"},
    {"ct", Q::kMass, 2e-4, "ct", "carat", "carats", "g"},
    {"lt", Q::kMass, 1016.0469088, "long tons", "long ton", "long tons", "t"},
    {"short ton", Q::kMass, 907.18474, "short tons", "short ton", "short tons", "t"},
    {"long cwt", Q::kMass, 50.80234544, "cwt", "long hundredweight", "long hundredweight", "lb kg"},
    {"km/h", Q::kSpeed, 1000.0 / 3600, "km/h", "kilometre per hour", "kilometres per hour", "mph"},
    {"mph", Q::kSpeed, 0.44704, "mph", "mile per hour", "miles per hour", "km/h"},
    {"m/s", Q::kSpeed, 1, "m/s", "metre per second", "metres per second", "ft/s"},
    {"km/s", Q::kSpeed, 1000, "km/s", "kilometre per second", "kilometres per second", "mi/s"},
    {"mi/s", Q::kSpeed, 1609.344, "mi/s", "mile per second", "miles per second", "km/s"},
    {"ft/s", Q::kSpeed, 0.3048, "ft/s", "foot per second", "feet per second", "m/s"},
    {"ft/min", Q::kSpeed, 0.00508, "ft/min", "foot per minute", "feet per minute", "m/min"},
    {"m/min", Q::kSpeed, 1.0 / 60, "m/min", "metre per minute", "metres per minute", "ft/min"},
    {"kn", Q::kSpeed, 1852.0 / 3600, "kn", "knot", "knots", "km/h mph"},
    {"c", Q::kTemperature, 1, "°C", "degree Celsius", "degrees Celsius", "F", 273.15},
    {"f", Q::kTemperature, 5.0 / 9, "°F", "degree Fahrenheit", "degrees Fahrenheit", "C", 459.67 * 5 / 9},
    {"k", Q::kTemperature, 1, "K", "kelvin", "kelvins", "C F", 0},
    {"c-change", Q::kTemperature, 1, "°C", "degree Celsius change", "degrees Celsius change", "F-change"},
    {"f-change", Q::kTemperature, 5.0 / 9, "°F", "degree Fahrenheit change", "degrees Fahrenheit change", "C-change"},
    {"w", Q::kPower, 1, "W", "watt", "watts", "hp"},
    {"kw", Q::kPower, 1e3, "kW", "kilowatt", "kilowatts", "hp"},
    {"megawatt", Q::kPower, 1e6, "MW", "megawatt", "megawatts", "hp"},
    {"hp", Q::kPower, 745.69987158227022, "hp", "horsepower", "horsepower", "kW"},
    {"bhp", Q::kPower, 745.69987158227022, "bhp", "brake horsepower", "brake horsepower", "kW"},
    {"shp", Q::kPower, 745.69987158227022, "shp", "shaft horsepower", "shaft horsepower", "kW"},
    {"ihp", Q::kPower, 745.69987158227022, "ihp", "indicated horsepower", "indicated horsepower", "kW"},
    {"ps", Q::kPower, 735.49875, "PS", "metric horsepower", "metric horsepower", "kW hp"},
    {"j", Q::kEnergy, 1, "J", "joule", "joules", "ftlb"},
    {"kj", Q::kEnergy, 1e3, "kJ", "kilojoule", "kilojoules", "kcal"},
    {"kcal", Q::kEnergy, 4184, "kcal", "kilocalorie", "kilocalories", "kJ"},
    {"kwh", Q::kEnergy, 3.6e6, "kW⋅h", "kilowatt hour", "kilowatt hours", "MJ"},
    {"mj", Q::kEnergy, 1e6, "MJ", "megajoule", "megajoules", "kWh"},
    {"ftlb", Q::kEnergy, 1.3558179483314004, "ft⋅lb", "foot-pound", "foot-pounds", "J"},
    {"n", Q::kForce, 1, "N", "newton", "newtons", "lbf"},
    {"kn-force", Q::kForce, 1e3, "kN", "kilonewton", "kilonewtons", "lbf"},
    {"mn", Q::kForce, 1e6, "MN", "meganewton", "meganewtons", "lbf"},
    {"lbf", Q::kForce, 4.4482216152605, "lbf", "pound-force", "pounds-force", "N"},
    {"kgf", Q::kForce, 9.80665, "kgf", "kilogram-force", "kilograms-force", "lbf"},
    {"nm-torque", Q::kTorque, 1, "N⋅m", "newton-metre", "newton-metres", "lbft"},
    {"lbft", Q::kTorque, 1.3558179483314004, "lb⋅ft", "pound-foot", "pound-feet", "Nm-torque"},
    {"pa", Q::kPressure, 1, "Pa", "pascal", "pascals", "psi"},
    {"hpa", Q::kPressure, 100, "hPa", "hectopascal", "hectopascals", "inHg"},
    {"kpa", Q::kPressure, 1e3, "kPa", "kilopascal", "kilopascals", "psi"},
    {"mpa", Q::kPressure, 1e6, "MPa", "megapascal", "megapascals", "psi"},
    {"bar", Q::kPressure, 1e5, "bar", "bar", "bars", "psi"},
    {"mbar", Q::kPressure, 100, "mbar", "millibar", "millibars", "inHg"},
    {"atm", Q::kPressure, 101325, "atm", "standard atmosphere", "standard atmospheres", "kPa"},
    {"psi", Q::kPressure, 6894.757293168361, "psi", "pound per square inch", "pounds per square inch", "kPa"},
    {"inhg", Q::kPressure, 3386.388640341, "inHg", "inch of mercury", "inches of mercury", "kPa"},
    {"mmhg", Q::kPressure, 133.322387415, "mmHg", "millimetre of mercury", "millimetres of mercury", "kPa"},
    {"g/cm3", Q::kDensity, 1000, "g/cm3", "gram per cubic centimetre", "grams per cubic centimetre", "lb/cuin"},
    {"kg/m3", Q::kDensity, 1, "kg/m3", "kilogram per cubic metre", "kilograms per cubic metre", "lb/cuft"},
    {"lb/cuft", Q::kDensity, 16.018463373960142, "lb/cu ft", "pound per cubic foot", "pounds per cubic foot", "g/cm3"},
    {"lb/cuin", Q::kDensity, 27679.904710191, "lb/cu in", "pound per cubic inch", "pounds per cubic inch", "g/cm3"},
    {"pd/sqkm", Q::kPopulation, 1e-6, "/km2", "inhabitant per square kilometre",
     "inhabitants per square kilometre", "PD/sqmi"},
    {"pd/sqmi", Q::kPopulation, 1 / 2589988.110336, "/sq mi", "inhabitant per square mile",
     "inhabitants per square mile", "PD/sqkm"},
    {"m3/s", Q::kFlow, 1, "m3/s", "cubic metre per second", "cubic metres per second", "cuft/s"},
    {"cuft/s", Q::kFlow, 0.028316846592, "cu ft/s", "cubic foot per second", "cubic feet per second", "m3/s"},
    {"mpgus", Q::kFuelUse, 425143.707430272, "mpg‑US", "mile per US gallon", "miles per US gallon",
     "L/100km mpgimp"},
    {"mpgimp", Q::kFuelUse, 354006.189934647, "mpg‑imp", "mile per imperial gallon",
     "miles per imperial gallon", "L/100km mpgUS"},
    {"km/l", Q::kFuelUse, 1e6, "km/L", "kilometre per litre", "kilometres per litre", "L/100km mpgimp mpgUS"},
    {"l/100km", Q::kFuelUse, 1e8, "L/100 km", "litre per 100 kilometres", "litres per 100 kilometres",
     "mpgimp mpgUS", 0, true},
});
using Spelling = std::pair<std::string_view, std::string_view>;

// Codes whose meaning hangs on capitals come first, as they are written.
constexpr std::array kWritten = std::to_array<Spelling>({
    {"ML", "megalitre"}, {"MW", "megawatt"}, {"ST", "short ton"}, {"kN", "kn-force"}, {"Nm", "nm-torque"},
    {"N.m", "nm-torque"}, {"N·m", "nm-torque"}, {"Mt", "mt"}, {"MT", "t"}, {"Mm", "mm"}, {"R_Solar", "solar radius"},
});

constexpr std::array kSpellings = std::to_array<Spelling>({
    {"acres", "acre"}, {"bushels", "usbsh"}, {"bbl", "oilbbl"}, {"barrel", "oilbbl"}, {"barrels", "oilbbl"},
    {"celsius", "c"}, {"°c", "c"}, {"degc", "c"}, {"fahrenheit", "f"}, {"°f", "f"}, {"degf", "f"}, {"kelvin", "k"},
    {"centimeter", "cm"}, {"centimeters", "cm"}, {"cu ft", "cuft"}, {"cu in", "cuin"}, {"cu yd", "cuyd"},
    {"cu mi", "cumi"}, {"cid", "cuin"}, {"ci", "cuin"}, {"cuft", "cuft"}, {"ft3", "cuft"}, {"in3", "cuin"},
    {"feet", "ft"}, {"foot", "ft"}, {"fathoms", "fathom"}, {"ftm", "fathom"}, {"floz", "usoz"}, {"us fl oz", "usoz"},
    {"usfloz", "usoz"}, {"impfloz", "impoz"}, {"ft2", "sqft"}, {"ft.lbf", "ftlb"}, {"ft-lb", "ftlb"},
    {"ft·lbf", "ftlb"},
    {"ft.lb", "ftlb"}, {"ftlbf", "ftlb"}, {"furlongs", "furlong"}, {"gal", "usgal"}, {"u.s.gal", "usgal"},
    {"us gal", "usgal"}, {"imp gal", "impgal"}, {"gram", "g"}, {"grams", "g"}, {"hands", "hand"}, {"hectare", "ha"},
    {"hectares", "ha"}, {"horsepower", "hp"}, {"inch", "in"}, {"inches", "in"}, {"in2", "sqin"}, {"kgm3", "kg/m3"},
    {"kilogram", "kg"}, {"kilograms", "kg"}, {"kgs", "kg"}, {"kilometer", "km"}, {"kilometers", "km"},
    {"kilometre", "km"}, {"kilometres", "km"}, {"kms", "km"}, {"kmh", "km/h"}, {"kph", "km/h"}, {"km/hr", "km/h"},
    {"knot", "kn"}, {"knots", "kn"}, {"kt", "kn"}, {"kts", "kn"}, {"lbs", "lb"}, {"lb.ft", "lbft"}, {"lbf.ft", "lbft"},
    {"lbfft", "lbft"}, {"lb-ft", "lbft"}, {"lbf·ft", "lbft"}, {"lb·ft", "lbft"}, {"liter", "l"}, {"liters", "l"},
    {"litre", "l"}, {"litres", "l"}, {"long ton", "lt"}, {"long tons", "lt"}, {"lton", "lt"}, {"ltons", "lt"},
    {"meter", "m"}, {"meters", "m"}, {"metre", "m"}, {"metres", "m"}, {"metric ton", "t"}, {"tonne", "t"},
    {"tonnes", "t"}, {"metric tons", "t"}, {"mile", "mi"}, {"miles", "mi"}, {"mi2", "sqmi"}, {"sq mi", "sqmi"},
    {"mph", "mph"}, {"mi/h", "mph"}, {"nautical mile", "nmi"}, {"nautical miles", "nmi"}, {"ounce", "oz"},
    {"ounces", "oz"}, {"pound", "lb"}, {"pounds", "lb"}, {"lb-f", "lbf"}, {"parsec", "pc"}, {"pint", "uspt"},
    {"short tons", "short ton"}, {"ston", "short ton"}, {"stons", "short ton"}, {"tons", "short ton"}, {"sqcm", "cm2"},
    {"sqkm", "km2"}, {"sqm", "m2"}, {"sq km", "km2"}, {"sq m", "m2"}, {"sq ft", "sqft"}, {"sq yd", "sqyd"},
    {"km²", "km2"}, {"m²", "m2"}, {"m³", "m3"}, {"square foot", "sqft"}, {"square feet", "sqft"},
    {"square kilometre", "km2"}, {"square kilometers", "km2"}, {"square mile", "sqmi"}, {"square miles", "sqmi"},
    {"stone", "st"}, {"um", "μm"}, {"µm", "μm"}, {"micrometre", "μm"}, {"yard", "yd"}, {"yards", "yd"},
    {"yd2", "sqyd"}, {"yd3", "cuyd"}, {"/km2", "pd/sqkm"}, {"/sqkm", "pd/sqkm"}, {"/sqmi", "pd/sqmi"},
    {"pd/km2", "pd/sqkm"}, {"pd/mi2", "pd/sqmi"}, {"ft/s", "ft/s"}, {"fps", "ft/s"}, {"mpg", "mpgus"},
    {"mpg-us", "mpgus"}, {"mpg-imp", "mpgimp"}, {"mpg-u.s.", "mpgus"},
    {"l/100 km", "l/100km"}, {"kmpl", "km/l"}, {"cwt", "long cwt"},
    {"cm³", "cm3"}, {"u.s. gal", "usgal"}, {"kwh", "kwh"},
    {"c change", "c-change"}, {"°c change", "c-change"}, {"f change", "f-change"}, {"foot", "ft"},
    {"metric horsepower", "ps"}, {"cv", "ps"}, {"lightyear", "ly"}, {"lightyears", "ly"}, {"light-year", "ly"},
    {"light-years", "ly"}, {"cuft/s", "cuft/s"}, {"cfs", "cuft/s"}, {"m3/s", "m3/s"}, {"cumecs", "m3/s"},
    {"millimetre", "mm"}, {"millimetres", "mm"}, {"millimeter", "mm"}, {"millimeters", "mm"}, {"centimetre", "cm"},
    {"centimetres", "cm"},
});
// clang-format on

const Unit* by_code(std::string_view code) {
  const auto found = std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& unit) { return unit.code == code; });
  return found == kUnits.end() ? nullptr : &*found;
}

template <typename Spellings>
std::string_view spelled(const Spellings& spellings, std::string_view code) {
  const auto found =
      std::find_if(spellings.begin(), spellings.end(), [&](const Spelling& s) { return s.first == code; });
  return found == spellings.end() ? code : found->second;
}

}  // namespace

const Unit* find_unit(std::string_view code) {
  const std::string_view written = spelled(kWritten, code);
  if (written != code) return by_code(written);
  const std::string name = normal_name(code);
  const Unit* unit = by_code(name);
  return unit != nullptr ? unit : by_code(spelled(kSpellings, name));
}

std::optional<ScaledUnit> find_scaled_unit(std::string_view code) {
  int power = 0;
  if (code.starts_with('e')) {
    const auto [end, error] = std::from_chars(code.data() + 1, code.data() + code.size(), power);
    if (error == std::errc() && power > 0 && power <= kMaxPower) {
      code.remove_prefix(static_cast<std::size_t>(end - code.data()));
    } else {
      power = 0;
    }
  }
  const Unit* unit = find_unit(code);
  return unit == nullptr ? std::nullopt : std::optional(ScaledUnit{unit, power});
}

std::string ScaledUnit::power_name(bool is_short) const {
  if (power == 0) return {};
  constexpr std::array<std::string_view, 5> kNames = {"thousand", "million", "billion", "trillion", "quadrillion"};
  const auto thousands = static_cast<std::size_t>(power / 3);
  if (is_short || power % 3 != 0 || thousands > kNames.size()) return "×10^" + std::to_string(power);
  return " " + std::string(kNames[thousands - 1]);
}

double ScaledUnit::base_of(double value) const {
  value *= std::pow(10.0, power);
  return unit->is_inverse ? unit->size / value : value * unit->size + unit->zero;
}

double ScaledUnit::value_of(double base) const {
  const double value = unit->is_inverse ? unit->size / base : (base - unit->zero) / unit->size;
  return value / std::pow(10.0, power);
}

std::string american_spelling(std::string_view name) {
  std::string spelling(name);
  replace_all(spelling, "metre", "meter");
  replace_all(spelling, "litre", "liter");
  return spelling;
}

}  // namespace bertprep::clean
