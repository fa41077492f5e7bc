#include "wiki/clean/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

#include "wiki/clean/embedded.h"
#include "wiki/clean/markup/chars.h"

namespace bertprep::clean {
namespace {

constexpr int kMaxPower = 15;
constexpr std::string_view kZero = "zero ";

// In the order of Quantity.
constexpr std::array<std::string_view, 18> kQuantities = {
    "length", "area",     "volume",  "mass",       "speed",          "temperature",  "power", "energy",   "force",
    "torque", "pressure", "density", "population", "number density", "acceleration", "flow",  "fuel use", "price"};

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

using Cells = std::vector<std::string_view>;

Cells split(std::string_view text, std::string_view separator) {
  Cells cells;
  for (std::size_t end = text.find(separator); end != text.npos; end = text.find(separator)) {
    cells.push_back(text.substr(0, end));
    text.remove_prefix(end + separator.size());
  }
  cells.push_back(text);
  return cells;
}

double number_of(std::string_view text) {
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

Unit unit_of(const Cells& cells) {
  const auto quantity = std::ranges::find(kQuantities, cells[1]) - kQuantities.begin();
  Unit unit{cells[0], static_cast<Quantity>(quantity), number_of(cells[2]), cells[3], cells[4], cells[5], cells[6]};
  const std::string_view rest = cells.size() > 7 ? cells[7] : std::string_view();
  unit.is_inverse = rest == "inverse";
  if (rest.starts_with(kZero)) unit.zero = number_of(rest.substr(kZero.size()));
  return unit;
}

// By code and by spelling, which capitals tell apart.
class UnitTable {
 public:
  UnitTable() {
    for (const std::string_view line : split(embedded::kUnits, "\n")) {
      if (!line.empty() && !line.starts_with('#')) take(split(line, " | "));
    }
  }

  const Unit* find(std::string_view code) const {
    const auto found = by_code_.find(code);
    return found == by_code_.end() ? nullptr : found->second;
  }

 private:
  void take(const Cells& cells) {
    if (cells[0] == "prefixed") {
      for (const Prefix& prefix : kPrefixes) {
        if (cells[2].find(prefix.sign) != cells[2].npos) add_prefixed(cells[1], prefix, cells[3]);
      }
    } else if (cells[0] == "spelled") {
      for (const std::string_view spelling : split(cells[2], ", ")) by_code_.emplace(spelling, by_code_.at(cells[1]));
    } else {
      add(unit_of(cells));
    }
  }

  void add(const Unit& unit) { by_code_.emplace(unit.code, &units_.emplace_back(unit)); }

  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }

  void add_prefixed(std::string_view code, const Prefix& prefix, std::string_view target) {
    const bool is_hour = code == "Wh";
    const Unit& base = *by_code_.at(is_hour ? "W" : code);
    Unit unit = base;
    unit.code = keep(std::string(prefix.sign).append(code));
    unit.quantity = is_hour ? Quantity::kEnergy : base.quantity;
    unit.size = base.size * prefix.factor * (is_hour ? 3600 : 1);
    unit.symbol = keep(std::string(prefix.sign).append(base.symbol).append(is_hour ? "⋅h" : ""));
    unit.singular = keep(std::string(prefix.name).append(base.singular).append(is_hour ? " hour" : ""));
    unit.plural = keep(std::string(prefix.name).append(is_hour ? "watt hours" : base.plural));
    unit.target = target;
    add(unit);
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
