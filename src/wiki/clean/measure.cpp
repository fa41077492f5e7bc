#include "wiki/clean/measure.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <deque>
#include <unordered_map>

#include "wiki/clean/embedded.h"
#include "wiki/clean/markup/chars.h"

namespace bertprep::clean {
namespace {

std::size_t count_digits(std::string_view text) {
  return std::min(text.find_first_not_of("0123456789"), text.size());
}

constexpr int kMaxPower = 15;
constexpr std::string_view kZero = "zero ";

struct Prefix {
  std::string_view sign;
  double factor;
  std::string_view name;
};

constexpr Prefix kPrefixes[] = {{"p", 1e-12, "pico"}, {"μ", 1e-6, "micro"}, {"m", 1e-3, "milli"},
                                {"d", 0.1, "deci"},   {"k", 1e3, "kilo"},   {"M", 1e6, "mega"},
                                {"G", 1e9, "giga"},   {"T", 1e12, "tera"},  {"P", 1e15, "peta"}};

using Cells = std::vector<std::string_view>;

Cells split(std::string_view text, std::string_view separator) {
  Cells cells;
  for_each_item(text, separator, [&](std::string_view cell) { cells.push_back(cell); });
  return cells;
}

Unit unit_of(const Cells& cells) {
  const double size = number_in<double>(cells[2]).value_or(0);
  Unit unit{cells[0], cells[1], size, cells[3], cells[4], cells[5], cells[6]};
  const std::string_view rest = cells.size() > 7 ? cells[7] : std::string_view();
  unit.is_inverse = rest == "inverse";
  if (rest.starts_with(kZero)) unit.zero = number_in<double>(rest.substr(kZero.size())).value_or(0);
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
    unit.quantity = is_hour ? "energy" : base.quantity;
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

constexpr std::size_t kLongestNumber = 40;
constexpr int kMaxPlaces = 9;
constexpr double kFudge = 1e-14;   // for logarithms of powers of ten
constexpr double kLargest = 1e15;  // beyond which digits say nothing

std::optional<double> plain_number(std::string_view text) {
  const auto value = number_in<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

// "1/2"
std::optional<double> fraction(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::size_t below_begin = text.find_first_not_of('/', slash);
  if (below_begin == std::string_view::npos) return std::nullopt;
  const auto above = plain_number(text.substr(0, slash));
  const auto below = plain_number(text.substr(below_begin));
  if (!above || !below || *below == 0) return std::nullopt;
  return *above / *below;
}

int places_of(std::string_view digits) {
  const std::size_t point = digits.find('.');
  if (point != std::string_view::npos) return static_cast<int>(digits.size() - point - 1);
  // At least one digit counts, though it is a zero.
  const std::size_t last = digits.empty() ? 0 : std::max<std::size_t>(1, digits.find_last_not_of('0') + 1);
  return static_cast<int>(last) - static_cast<int>(digits.size());
}

// "2+1/2" and "2-1/2" are mixed numbers.
std::optional<Measure> mixed_number(std::string_view text) {
  const std::size_t sign = text.find_first_of("+- ", 1);
  const bool is_mixed = sign != std::string_view::npos;
  std::string tail(is_mixed ? text.substr(sign + 1) : text);
  const auto whole = is_mixed ? plain_number(text.substr(0, sign)) : 0;
  const auto part = fraction(tail);
  if (!whole || !part) return std::nullopt;
  const auto below = plain_number(text.substr(text.rfind('/') + 1));
  replace_all(tail, "//", "/");
  return Measure{*whole + *part, std::max(std::log10(below.value_or(1)), 1.0),
                 (is_mixed ? std::string(text.substr(0, sign)) + " " : "") + tail};
}

bool is_scale(const Unit& unit) {
  return unit.quantity == "temperature" && !unit.code.ends_with("-change");
}

// By how many decimals a result is more precise than the given number.
double added_places(const Given& given, double result, const ScaledUnit& to) {
  const bool is_integer = std::floor(given.value) == given.value;
  const bool counts_from_size = to.unit->code == "ft" || to.unit->code == "lb";
  if (counts_from_size && is_integer) return -std::log10(given.unit.unit->size) - given.unit.power;
  if (given.ends_in_inches) return std::log10(to.unit->size) + to.power + 2;
  return std::log10(std::fabs(given.value / result));
}

constexpr std::array<std::string_view, 20> kSmall = {
    "zero", "one",    "two",    "three",    "four",     "five",    "six",     "seven",     "eight",    "nine",
    "ten",  "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
constexpr std::array<std::string_view, 10> kTens = {"",      "",      "twenty",  "thirty", "forty",
                                                    "fifty", "sixty", "seventy", "eighty", "ninety"};

std::string spelled_below_hundred(std::uint64_t number) {
  if (number < kSmall.size()) return std::string(kSmall[number]);
  const std::string tens(kTens[number / 10]);
  return number % 10 == 0 ? tens : tens + "-" + std::string(kSmall[number % 10]);
}

std::string spelled_whole(std::uint64_t number, bool american) {
  if (number < 100) return spelled_below_hundred(number);
  constexpr std::array<std::pair<std::uint64_t, std::string_view>, 3> kSteps = {
      {{1000000, " million"}, {1000, " thousand"}, {100, " hundred"}}};
  const auto step = std::find_if(kSteps.begin(), kSteps.end(), [&](const auto& s) { return number >= s.first; });
  const std::uint64_t rest = number % step->first;
  const std::string head = spelled_whole(number / step->first, american) + std::string(step->second);
  if (rest == 0) return head;
  return head + (rest < 100 && !american ? " and " : " ") + spelled_whole(rest, american);
}

}  // namespace

std::string group_digits(std::string_view number, const NumberSigns& signs) {
  const std::size_t digits = count_digits(number);
  if (digits < signs.least) return std::string(number);
  std::string grouped;
  for (std::size_t i = 0; i < digits; ++i) {
    if (i > 0 && (digits - i) % 3 == 0) grouped.append(signs.group);
    grouped.push_back(number[i]);
  }
  return grouped.append(number.substr(digits));
}

std::string localized_number(std::string_view number, const NumberSigns* signs) {
  if (signs == nullptr) return std::string(number);
  const std::size_t begin = length_at_begin(number, {"-", "+", "−", "±"});
  const std::size_t digits = count_digits(number.substr(begin));
  const std::string_view rest = number.substr(begin + digits);
  const bool is_integer = rest.empty();
  // "1,234" is a fraction only if the comma is the decimal point.
  const bool begins_fraction = rest.starts_with('.') || (rest.starts_with(',') && signs->point == ",");
  const bool has_point = rest.size() > 1 && begins_fraction && count_digits(rest.substr(1)) + 1 == rest.size();
  if (digits == 0 || !(is_integer || has_point)) return std::string(number);
  std::string text(number.substr(0, begin));
  text.append(group_digits(number.substr(begin, digits), *signs));
  if (has_point) text.append(signs->point).append(rest.substr(1));
  return text;
}

std::string localized_text(std::string_view text, const NumberSigns* signs) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t blank = std::min(text.find(' ', at), text.size());
    result.append(localized_number(text.substr(at, blank - at), signs));
    if (blank < text.size()) result.push_back(' ');
    at = blank + 1;
  }
  return result;
}

std::string localized_groups(std::string_view number, const NumberSigns& signs) {
  std::string plain(number);
  replace_all(plain, ",", "");
  std::string text;
  for (std::size_t at = 0; at < plain.size();) {
    const std::string_view rest = std::string_view(plain).substr(at);
    const std::size_t digits = count_digits(rest);
    if (digits == 0) {
      text.push_back(plain[at++]);
      continue;
    }
    text.append(group_digits(rest.substr(0, digits), signs));
    at += digits;
    const bool has_point = at + 1 < plain.size() && plain[at] == '.' && is_ascii_digit(plain[at + 1]);
    if (!has_point) continue;
    const std::size_t places = count_digits(std::string_view(plain).substr(at + 1));
    text.append(signs.point).append(plain, at + 1, places);
    at += 1 + places;
  }
  return text;
}

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

std::optional<Measure> read_measure(std::string_view text) {
  std::string digits(trim(text));
  if (digits.size() > kLongestNumber) return std::nullopt;
  replace_all(digits, ",", "");
  replace_all(digits, "−", "-");
  const bool is_negative = digits.starts_with('-');
  if (is_negative || digits.starts_with('+')) digits.erase(0, 1);
  if (digits.empty() || !(is_ascii_digit(digits[0]) || digits[0] == '.')) return std::nullopt;
  std::optional<Measure> measure;
  if (digits.find('/') != std::string::npos) {
    measure = mixed_number(digits);
  } else if (const auto value = plain_number(digits)) {
    const std::size_t exponent = digits.find_first_of("eE");
    const int places = places_of(std::string_view(digits).substr(0, exponent));
    measure = Measure{*value, static_cast<double>(places), group_digits(digits)};
    if (exponent != std::string::npos) {
      const std::string power = digits.substr(exponent + 1);
      measure->precision -= plain_number(power.starts_with('+') ? power.substr(1) : power).value_or(0);
      measure->shown = digits.substr(0, exponent) + "×10^" + power;
    }
  }
  if (measure && is_negative) {
    measure->value = -measure->value;
    measure->shown.insert(0, "−");
  }
  return measure;
}

double converted(const Given& given, const ScaledUnit& to) {
  return to.value_of(given.unit.base_of(given.value));
}

int places_for_digits(double value, int digits) {
  if (value == 0) return 0;
  return digits - 1 - static_cast<int>(std::floor(std::log10(std::fabs(value)) + kFudge));
}

int fitting_places(const Given& given, double result, const ScaledUnit& to) {
  if (is_scale(*given.unit.unit) && is_scale(*to.unit)) {
    const double kelvin = std::fabs(given.unit.base_of(given.value));
    const int least = kelvin < 1e-8 ? 2 : places_for_digits(kelvin, 3);
    return std::max(static_cast<int>(std::floor(given.precision)), least);
  }
  if (given.value == 0 || result == 0) return 0;
  const double places = given.precision + added_places(given, result, to) + std::log10(2.0);
  return std::clamp(std::max(static_cast<int>(std::floor(places)), places_for_digits(result, 2)), -12, kMaxPlaces);
}

std::string written_number(double value, int places) {
  if (!std::isfinite(value) || std::fabs(value) > kLargest) {
    std::array<char, 32> digits{};
    const auto end =
        std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::scientific, 2);
    std::string text(digits.data(), end.ptr);
    replace_all(text, "e+", "×10^");
    return text;
  }
  if (places < 0) {
    const double step = std::pow(10.0, -places);
    value = std::round(value / step) * step;
  }
  std::array<char, 64> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), std::fabs(value),
                                 std::chars_format::fixed, std::clamp(places, 0, kMaxPlaces));
  const std::string_view text(digits.data(), static_cast<std::size_t>(end.ptr - digits.data()));
  const bool is_zero = text.find_first_not_of("0.") == std::string_view::npos;
  return (value < 0 && !is_zero ? "−" : "") + group_digits(text);
}

std::string spelled_number(double value, bool american) {
  if (value < 0 || value >= 1e9 || std::floor(value) != value) return {};
  return spelled_whole(static_cast<std::uint64_t>(value), american);
}

}  // namespace bertprep::clean
