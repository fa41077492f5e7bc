#include "wiki/clean/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <deque>
#include <unordered_map>
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
    {"AU", Q::kLength, 149597870700.0, "au", "astronomical unit", "astronomical units", "km mi"},
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
    {"L", Q::kVolume, 1e-3, "L", "litre", "litres", "impgal USgal"},
    {"mL", Q::kVolume, 1e-6, "mL", "millilitre", "millilitres", "impoz USoz"},
    {"cL", Q::kVolume, 1e-5, "cL", "centilitre", "centilitres", "impoz USoz"},
    {"hL", Q::kVolume, 0.1, "hL", "hectolitre", "hectolitres", "impgal USgal"},
    {"ML", Q::kVolume, 1e3, "ML", "megalitre", "megalitres", "acre.ft"},
    {"cuft", Q::kVolume, 0.028316846592, "cu ft", "cubic foot", "cubic feet", "m3"},
    {"cuin", Q::kVolume, 1.6387064e-5, "cu in", "cubic inch", "cubic inches", "cm3"},
    {"cuyd", Q::kVolume, 0.764554857984, "cu yd", "cubic yard", "cubic yards", "m3"},
    {"cumi", Q::kVolume, 4.168181825440579584e9, "cu mi", "cubic mile", "cubic miles", "km3"},
    {"USgal", Q::kVolume, 3.785411784e-3, "US gal", "US gallon", "US gallons", "L impgal"},
    {"impgal", Q::kVolume, 4.54609e-3, "imp gal", "imperial gallon", "imperial gallons", "L USgal"},
    {"USqt", Q::kVolume, 9.46352946e-4, "US qt", "US quart", "US quarts", "L"},
    {"USpt", Q::kVolume, 4.73176473e-4, "US pt", "US pint", "US pints", "L"},
    {"imppt", Q::kVolume, 5.6826125e-4, "imp pt", "imperial pint", "imperial pints", "L"},
    {"USoz", Q::kVolume, 2.95735295625e-5, "US fl oz", "US fluid ounce", "US fluid ounces", "mL"},
    {"impoz", Q::kVolume, 2.84130625e-5, "imp fl oz", "imperial fluid ounce", "imperial fluid ounces", "mL"},
    {"USbsh", Q::kVolume, 0.03523907016688, "US bsh", "US bushel", "US bushels", "L"},
    {"oilbbl", Q::kVolume, 0.158987294928, "bbl", "barrel", "barrels", "m3"},
    {"Moilbbl", Q::kVolume, 158987.294928, "million barrels", "million barrels", "million barrels", "m3"},
    {"acre.ft", Q::kVolume, 1233.48183754752, "acre⋅ft", "acre-foot", "acre-feet", "m3"},
    {"kg", Q::kMass, 1, "kg", "kilogram", "kilograms", "lb"},
    {"g", Q::kMass, 1e-3, "g", "gram", "grams", "oz"},
    {"mg", Q::kMass, 1e-6, "mg", "milligram", "milligrams", "gr"},
    {"t", Q::kMass, 1000, "t", "tonne", "tonnes", "LT ST"},
    {"Mt", Q::kMass, 1e9, "Mt", "megatonne", "megatonnes", "LT ST"},
    {"lb", Q::kMass, 0.45359237, "lb", "pound", "pounds", "kg"},
    {"oz", Q::kMass, 0.028349523125, "oz", "ounce", "ounces", "g"},
    {"ozt", Q::kMass, 0.0311034768, "ozt", "troy ounce", "troy ounces", "g"},
    {"gr", Q::kMass, 6.479891e-5, "gr", "grain", "grains", "g"},
    {"st", Q::kMass, 6.35029318, "st", "stone", "stone", "lb kg"},
    {"ct", Q::kMass, 2e-4, "ct", "carat", "carats", "g"},
    {"LT", Q::kMass, 1016.0469088, "long tons", "long ton", "long tons", "t"},
    {"ST", Q::kMass, 907.18474, "short tons", "short ton", "short tons", "t"},
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
    {"C", Q::kTemperature, 1, "°C", "degree Celsius", "degrees Celsius", "F", 273.15},
    {"F", Q::kTemperature, 5.0 / 9, "°F", "degree Fahrenheit", "degrees Fahrenheit", "C", 459.67 * 5 / 9},
    {"K", Q::kTemperature, 1, "K", "kelvin", "kelvins", "C F", 0},
    {"C-change", Q::kTemperature, 1, "°C", "degree Celsius change", "degrees Celsius change", "F-change"},
    {"F-change", Q::kTemperature, 5.0 / 9, "°F", "degree Fahrenheit change", "degrees Fahrenheit change", "C-change"},
    {"W", Q::kPower, 1, "W", "watt", "watts", "hp"},
    {"kW", Q::kPower, 1e3, "kW", "kilowatt", "kilowatts", "hp"},
    {"MW", Q::kPower, 1e6, "MW", "megawatt", "megawatts", "hp"},
    {"hp", Q::kPower, 745.69987158227022, "hp", "horsepower", "horsepower", "kW"},
    {"bhp", Q::kPower, 745.69987158227022, "bhp", "brake horsepower", "brake horsepower", "kW"},
    {"shp", Q::kPower, 745.69987158227022, "shp", "shaft horsepower", "shaft horsepower", "kW"},
    {"ihp", Q::kPower, 745.69987158227022, "ihp", "indicated horsepower", "indicated horsepower", "kW"},
    {"PS", Q::kPower, 735.49875, "PS", "metric horsepower", "metric horsepower", "kW hp"},
    {"J", Q::kEnergy, 1, "J", "joule", "joules", "ftlb"},
    {"kJ", Q::kEnergy, 1e3, "kJ", "kilojoule", "kilojoules", "kcal"},
    {"kcal", Q::kEnergy, 4184, "kcal", "kilocalorie", "kilocalories", "kJ"},
    {"kWh", Q::kEnergy, 3.6e6, "kW⋅h", "kilowatt hour", "kilowatt hours", "MJ"},
    {"MJ", Q::kEnergy, 1e6, "MJ", "megajoule", "megajoules", "kWh"},
    {"ftlb", Q::kEnergy, 1.3558179483314004, "ft⋅lb", "foot-pound", "foot-pounds", "J"},
    {"N", Q::kForce, 1, "N", "newton", "newtons", "lbf"},
    {"kN", Q::kForce, 1e3, "kN", "kilonewton", "kilonewtons", "lbf"},
    {"MN", Q::kForce, 1e6, "MN", "meganewton", "meganewtons", "lbf"},
    {"lbf", Q::kForce, 4.4482216152605, "lbf", "pound-force", "pounds-force", "N"},
    {"kgf", Q::kForce, 9.80665, "kgf", "kilogram-force", "kilograms-force", "lbf"},
    {"Nm", Q::kTorque, 1, "N⋅m", "newton-metre", "newton-metres", "lbft"},
    {"lbft", Q::kTorque, 1.3558179483314004, "lb⋅ft", "pound-foot", "pound-feet", "Nm"},
    {"Pa", Q::kPressure, 1, "Pa", "pascal", "pascals", "psi"},
    {"hPa", Q::kPressure, 100, "hPa", "hectopascal", "hectopascals", "inHg"},
    {"kPa", Q::kPressure, 1e3, "kPa", "kilopascal", "kilopascals", "psi"},
    {"MPa", Q::kPressure, 1e6, "MPa", "megapascal", "megapascals", "psi"},
    {"bar", Q::kPressure, 1e5, "bar", "bar", "bars", "psi"},
    {"mbar", Q::kPressure, 100, "mbar", "millibar", "millibars", "inHg"},
    {"atm", Q::kPressure, 101325, "atm", "standard atmosphere", "standard atmospheres", "kPa"},
    {"psi", Q::kPressure, 6894.757293168361, "psi", "pound per square inch", "pounds per square inch", "kPa"},
    {"inHg", Q::kPressure, 3386.388640341, "inHg", "inch of mercury", "inches of mercury", "kPa"},
    {"mmHg", Q::kPressure, 133.322387415, "mmHg", "millimetre of mercury", "millimetres of mercury", "kPa"},
    {"g/cm3", Q::kDensity, 1000, "g/cm3", "gram per cubic centimetre", "grams per cubic centimetre", "lb/cuin"},
    {"kg/m3", Q::kDensity, 1, "kg/m3", "kilogram per cubic metre", "kilograms per cubic metre", "lb/cuft"},
    {"$/lb", Q::kPrice, 1 / 0.45359237, "/lb", "per pound", "per pound", "$/kg"},
    {"$/kg", Q::kPrice, 1, "/kg", "per kilogram", "per kilogram", "$/lb"},
    {"lb/cuft", Q::kDensity, 16.018463373960142, "lb/cu ft", "pound per cubic foot", "pounds per cubic foot", "g/cm3"},
    {"lb/cuin", Q::kDensity, 27679.904710191, "lb/cu in", "pound per cubic inch", "pounds per cubic inch", "g/cm3"},
    {"PD/sqkm", Q::kPopulation, 1e-6, "/km2", "inhabitant per square kilometre",
     "inhabitants per square kilometre", "PD/sqmi"},
    {"PD/sqmi", Q::kPopulation, 1 / 2589988.110336, "/sq mi", "inhabitant per square mile",
     "inhabitants per square mile", "PD/sqkm"},
    {"m3/s", Q::kFlow, 1, "m3/s", "cubic metre per second", "cubic metres per second", "cuft/s"},
    {"cuft/s", Q::kFlow, 0.028316846592, "cu ft/s", "cubic foot per second", "cubic feet per second", "m3/s"},
    {"mpgus", Q::kFuelUse, 425143.707430272, "mpg‑US", "mile per US gallon", "miles per US gallon",
     "L/100km mpgimp"},
    {"mpgimp", Q::kFuelUse, 354006.189934647, "mpg‑imp", "mile per imperial gallon",
     "miles per imperial gallon", "L/100km mpgUS"},
    {"km/L", Q::kFuelUse, 1e6, "km/L", "kilometre per litre", "kilometres per litre", "L/100km mpgimp mpgUS"},
    {"L/100km", Q::kFuelUse, 1e8, "L/100 km", "litre per 100 kilometres", "litres per 100 kilometres",
     "mpgimp mpgUS", 0, true},
    {"/km2", Q::kNumberDensity, 1e-6, "/km2", "per square kilometre", "per square kilometre", "/sqmi"},
    {"/sqmi", Q::kNumberDensity, 1 / 2589988.110336, "/sq mi", "per square mile", "per square mile", "/km2"},
    {"/ha", Q::kNumberDensity, 1e-4, "/ha", "per hectare", "per hectare", "/acre"},
    {"/acre", Q::kNumberDensity, 1 / 4046.8564224, "/acre", "per acre", "per acre", "/ha"},
    {"thou", Q::kLength, 2.54e-5, "thou", "thou", "thou", "mm"},
    {"impqt", Q::kVolume, 1.1365225e-3, "imp qt", "imperial quart", "imperial quarts", "L"},
    {"Torr", Q::kPressure, 101325.0 / 760, "Torr", "torr", "torr", "kPa"},
    {"kgf/cm2", Q::kPressure, 98066.5, "kgf/cm2", "kilogram-force per square centimetre",
     "kilograms-force per square centimetre", "psi"},
    {"BTU", Q::kEnergy, 1055.05585262, "BTU", "British thermal unit", "British thermal units", "kJ"},
    {"R", Q::kTemperature, 5.0 / 9, "°R", "degree Rankine", "degrees Rankine", "K F C", 0},
    {"in/s", Q::kSpeed, 0.0254, "in/s", "inch per second", "inches per second", "cm/s"},
    {"cm/s", Q::kSpeed, 0.01, "cm/s", "centimetre per second", "centimetres per second", "in/s"},
    {"in/h", Q::kSpeed, 0.0254 / 3600, "in/h", "inch per hour", "inches per hour", "mm/h"},
    {"mm/h", Q::kSpeed, 0.001 / 3600, "mm/h", "millimetre per hour", "millimetres per hour", "in/h"},
    {"m/s2", Q::kAcceleration, 1, "m/s2", "metre per second squared", "metres per second squared", "ft/s2"},
    {"ft/s2", Q::kAcceleration, 0.3048, "ft/s2", "foot per second squared", "feet per second squared", "m/s2"},
    {"L/s", Q::kFlow, 1e-3, "L/s", "litre per second", "litres per second", "cuft/s"},
    {"m3/d", Q::kFlow, 1.0 / 86400, "m3/d", "cubic metre per day", "cubic metres per day", "cuft/d"},
    {"cuft/d", Q::kFlow, 0.028316846592 / 86400, "cu ft/d", "cubic foot per day", "cubic feet per day", "m3/d"},
    {"oilbbl/d", Q::kFlow, 0.158987294928 / 86400, "bbl/d", "barrel per day", "barrels per day", "m3/d"},
    {"USgal/min", Q::kFlow, 3.785411784e-3 / 60, "US gal/min", "US gallon per minute", "US gallons per minute",
     "m3/s"},
    {"Goilbbl", Q::kVolume, 158987294.928, "billion barrels", "billion barrels", "billion barrels", "m3"},
});
using Spelling = std::pair<std::string_view, std::string_view>;

// Metric units that take prefixes; those that stand above have targets of their own.
struct Prefixed {
  std::string_view code;
  std::string_view prefixes;
  std::string_view target;
};

constexpr std::array kPrefixed = std::to_array<Prefixed>({
    {"m", "pdMGT", "mi"}, {"g", "μMG", "lb"}, {"t", "kG", "LT ST"}, {"W", "mGTP", "hp"}, {"J", "mGTP", "kWh"},
    {"N", "mG", "lbf"}, {"Pa", "mG", "psi"}, {"pc", "MG", "Mly"}, {"ly", "MG", "Mpc"}, {"Wh", "MGTP", "MJ"},
    {"L", "μ", "cuin"}, {"Torr", "m", "kPa"},
});

constexpr std::array kSpellings = std::to_array<Spelling>({
    {"N.m", "Nm"}, {"N·m", "Nm"}, {"R_Solar", "solar radius"}, {"acres", "acre"}, {"bushels", "USbsh"},
    {"bbl", "oilbbl"}, {"barrel", "oilbbl"}, {"barrels", "oilbbl"}, {"Celsius", "C"}, {"°C", "C"}, {"degC", "C"},
    {"Fahrenheit", "F"}, {"°F", "F"}, {"degF", "F"}, {"kelvin", "K"}, {"centimeter", "cm"}, {"centimeters", "cm"},
    {"cu ft", "cuft"}, {"cu in", "cuin"}, {"cu yd", "cuyd"}, {"cu mi", "cumi"}, {"cid", "cuin"}, {"ft3", "cuft"},
    {"in3", "cuin"}, {"feet", "ft"}, {"foot", "ft"}, {"fathoms", "fathom"}, {"ftm", "fathom"}, {"floz", "USoz"},
    {"US fl oz", "USoz"}, {"USfloz", "USoz"}, {"impfloz", "impoz"}, {"ft2", "sqft"}, {"ft.lbf", "ftlb"},
    {"ft-lb", "ftlb"}, {"ft·lbf", "ftlb"}, {"ft.lb", "ftlb"}, {"ftlbf", "ftlb"}, {"furlongs", "furlong"},
    {"gal", "USgal"}, {"U.S.gal", "USgal"}, {"US gal", "USgal"}, {"imp gal", "impgal"}, {"gram", "g"}, {"grams", "g"},
    {"hands", "hand"}, {"hectare", "ha"}, {"hectares", "ha"}, {"horsepower", "hp"}, {"inch", "in"}, {"inches", "in"},
    {"in2", "sqin"}, {"kgm3", "kg/m3"}, {"kilogram", "kg"}, {"kilograms", "kg"}, {"kgs", "kg"}, {"kilometer", "km"},
    {"kilometers", "km"}, {"kilometre", "km"}, {"kilometres", "km"}, {"kms", "km"}, {"kmh", "km/h"}, {"kph", "km/h"},
    {"km/hr", "km/h"}, {"knot", "kn"}, {"knots", "kn"}, {"lbs", "lb"}, {"lb.ft", "lbft"}, {"lbf.ft", "lbft"},
    {"lbfft", "lbft"}, {"lb-ft", "lbft"}, {"lbf·ft", "lbft"}, {"lb·ft", "lbft"}, {"liter", "L"}, {"liters", "L"},
    {"litre", "L"}, {"litres", "L"}, {"long ton", "LT"}, {"long tons", "LT"}, {"lton", "LT"}, {"ltons", "LT"},
    {"meter", "m"}, {"meters", "m"}, {"metre", "m"}, {"metres", "m"}, {"metric ton", "t"}, {"tonne", "t"},
    {"tonnes", "t"}, {"metric tons", "t"}, {"mile", "mi"}, {"miles", "mi"}, {"mi2", "sqmi"}, {"sq mi", "sqmi"},
    {"mi/h", "mph"}, {"nautical mile", "nmi"}, {"nautical miles", "nmi"}, {"ounce", "oz"}, {"ounces", "oz"},
    {"pound", "lb"}, {"pounds", "lb"}, {"lb-f", "lbf"}, {"parsec", "pc"}, {"pint", "USpt"}, {"short tons", "ST"},
    {"ston", "ST"}, {"stons", "ST"}, {"tons", "ST"}, {"sqcm", "cm2"}, {"sqkm", "km2"}, {"sqm", "m2"},
    {"sq km", "km2"}, {"sq m", "m2"}, {"sq ft", "sqft"}, {"sq yd", "sqyd"}, {"km²", "km2"}, {"m²", "m2"},
    {"m³", "m3"}, {"square foot", "sqft"}, {"square feet", "sqft"}, {"square kilometre", "km2"},
    {"square kilometers", "km2"}, {"square mile", "sqmi"}, {"square miles", "sqmi"}, {"stone", "st"}, {"um", "μm"},
    {"µm", "μm"}, {"micrometre", "μm"}, {"yard", "yd"}, {"yards", "yd"}, {"yd2", "sqyd"}, {"yd3", "cuyd"},
    {"PD/km2", "PD/sqkm"}, {"PD/mi2", "PD/sqmi"}, {"fps", "ft/s"}, {"mpg", "mpgus"}, {"mpg-US", "mpgus"},
    {"mpg-imp", "mpgimp"}, {"mpg-U.S.", "mpgus"}, {"L/100 km", "L/100km"}, {"kmpl", "km/L"}, {"cwt", "long cwt"},
    {"cm³", "cm3"}, {"U.S. gal", "USgal"}, {"C change", "C-change"}, {"°C change", "C-change"},
    {"F change", "F-change"}, {"metric horsepower", "PS"}, {"cv", "PS"}, {"lightyear", "ly"}, {"lightyears", "ly"},
    {"light-year", "ly"}, {"light-years", "ly"}, {"cfs", "cuft/s"}, {"cumecs", "m3/s"}, {"millimetre", "mm"},
    {"millimetres", "mm"}, {"millimeter", "mm"}, {"millimeters", "mm"}, {"centimetre", "cm"}, {"centimetres", "cm"},
    {"MT", "t"}, {"statmi", "mi"}, {"ch", "chain"}, {"carat", "ct"}, {"carats", "ct"}, {"kts", "kn"}, {"au", "AU"},
    {"l", "L"}, {"ml", "mL"}, {"cl", "cL"}, {"hl", "hL"}, {"km/l", "km/L"}, {"l/100km", "L/100km"},
    {"usgal", "USgal"}, {"mpgUS", "mpgus"}, {"mi/USgal", "mpgus"}, {"mi/impgal", "mpgimp"}, {"/sqkm", "/km2"},
    {"Btu", "BTU"}, {"torr", "Torr"}, {"cubic metre", "m3"}, {"cubic metres", "m3"}, {"cubic foot", "cuft"},
    {"cubic feet", "cuft"}, {"bbl/d", "oilbbl/d"}, {"°R", "R"}, {"short ton", "ST"}, {"watt", "W"}, {"watts", "W"},
    {"kilowatt", "kW"}, {"kilowatts", "kW"}, {"lbf/in2", "psi"}, {"lb/in2", "psi"}, {"kmph", "km/h"},
});
// clang-format on

struct Prefix {
  std::string_view sign;
  double factor;
  std::string_view name;
};

constexpr std::array kPrefixes = std::to_array<Prefix>({
    {"p", 1e-12, "pico"},
    {"μ", 1e-6, "micro"},
    {"m", 1e-3, "milli"},
    {"d", 0.1, "deci"},
    {"k", 1e3, "kilo"},
    {"M", 1e6, "mega"},
    {"G", 1e9, "giga"},
    {"T", 1e12, "tera"},
    {"P", 1e15, "peta"},
});

// By code and by spelling, which capitals tell apart.
class UnitTable {
 public:
  UnitTable() {
    for (const Unit& unit : kUnits) by_code_.emplace(unit.code, &unit);
    for (const Prefixed& prefixed : kPrefixed) {
      for (const Prefix& prefix : kPrefixes) {
        if (prefixed.prefixes.find(prefix.sign) != std::string_view::npos) add(prefixed, prefix);
      }
    }
    for (const auto& [spelling, code] : kSpellings) by_code_.emplace(spelling, by_code_.at(code));
  }

  const Unit* find(std::string_view code) const {
    const auto found = by_code_.find(code);
    return found == by_code_.end() ? nullptr : found->second;
  }

 private:
  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }

  void add(const Prefixed& prefixed, const Prefix& prefix) {
    const bool is_hour = prefixed.code == "Wh";
    const Unit& base = *by_code_.at(is_hour ? "W" : prefixed.code);
    Unit unit = base;
    unit.code = keep(std::string(prefix.sign).append(prefixed.code));
    unit.quantity = is_hour ? Quantity::kEnergy : base.quantity;
    unit.size = base.size * prefix.factor * (is_hour ? 3600 : 1);
    unit.symbol = keep(std::string(prefix.sign).append(base.symbol).append(is_hour ? "⋅h" : ""));
    unit.singular = keep(std::string(prefix.name).append(base.singular).append(is_hour ? " hour" : ""));
    unit.plural = keep(std::string(prefix.name).append(is_hour ? "watt hours" : base.plural));
    unit.target = prefixed.target;
    by_code_.emplace(unit.code, &units_.emplace_back(unit));
  }

  std::deque<std::string> texts_;
  std::deque<Unit> units_;
  std::unordered_map<std::string_view, const Unit*> by_code_;
};

}  // namespace

const Unit* find_unit(std::string_view code) {
  static const UnitTable kTable;
  return kTable.find(trim(code));
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
