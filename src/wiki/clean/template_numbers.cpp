
#include <algorithm>
#include <array>

#include "wiki/clean/markup/chars.h"
#include "wiki/clean/markup/formula.h"
#include "wiki/clean/templates.h"

namespace bertprep::clean {
namespace {

bool is_number(std::string_view text) {
  if (text.starts_with("−")) text.remove_prefix(std::string_view("−").size());
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && is_ascii_digit(text.front()) && text.find_first_not_of("0123456789.,") == text.npos;
}

// "kg", "/m", "%": behind a number.
std::string unit_of_value(TemplateCall& call) {
  const std::string& unit = call.any_of({"u", "ul"});
  const std::string& below = call.any_of({"up", "upl"});
  std::string text = unit.empty() || unit.starts_with("%") || unit.starts_with("°") ? unit : " " + unit;
  return below.empty() ? text : text.append("/").append(below);
}

// {{val|5|to|6|u=km}}: "5 to 6 km". Empty when `word` stands for no range.
std::string range_of_values(const std::string& first, std::string_view word, const std::string& last,
                            const std::string& unit) {
  if (word == "x" || word == "×") return first + unit + " × " + last + unit;
  if (word == "-" || word == "–") return first + "–" + last + unit;
  if (word == "to" || word == "and" || word == "or" || word == "by")
    return first + " " + std::string(word) + " " + last + unit;
  return {};
}

// A number with its uncertainty, 5±3 or 5(2), or two that range, and a power of ten. Nothing when the arguments say
// something else.
std::optional<std::string> numbers_of_value(TemplateCall& call, const std::string& power) {
  const auto shown = [&](std::size_t number) {
    return localized_number(call.plain(number), call.table().number_signs());
  };
  const std::string second = call.plain(2);
  const std::string unit = unit_of_value(call);
  if (!call.plain(1).empty() && !is_number(call.plain(1))) return std::nullopt;
  if (second.empty()) return shown(1).append(call.named("end")).append(power).append(unit);
  if (call.plain(1).empty()) return std::nullopt;
  if (call.count() == 3) {
    const std::string range = range_of_values(shown(1), second, shown(3), unit);
    return range.empty() || !power.empty() || !is_number(call.plain(3)) ? std::nullopt : std::optional(range);
  }
  const bool is_in_brackets = second.size() > 2 && second.front() == '(' && second.back() == ')' &&
                              is_number(std::string_view(second).substr(1, second.size() - 2));
  if (is_in_brackets) return shown(1).append(second).append(power).append(unit);
  if (!is_number(second) || !is_ascii_digit(second[0])) return std::nullopt;
  const std::string text = shown(1) + "±" + shown(2);
  return (power.empty() ? text : "(" + text + ")" + power) + unit;
}

// {{val|6.241|0.002|e=18|u=kg}}: "(6.241±0.002)×10^18 kg". Lithuanian {{val|de|Berlin}} holds a text.
void write_value(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string number = call.plain(1);
  if (!number.empty() && is_ascii_letter(number[0])) {
    if (call.language() == "lt") out.append(call.at(2));
    return;
  }
  std::string power = call.named("e");
  if (!power.empty()) power.insert(0, number.empty() ? "10^" : "×10^");
  if (const auto text = numbers_of_value(call, power))
    out.append(call.named("p")).append(*text).append(call.named("s"));
}

// {{frac|3}} {{frac|1|2}} {{frac|2|1|2}}: "1/3", "1/2", "2 1/2"
void write_fraction(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::size_t count = call.count();
  if (count == 0) {
    out.append("/");
  } else if (count == 1) {
    out.append("1/").append(call.at(1));
  } else {
    if (count > 2 && !call.at(1).empty()) out.append(call.at(1)).append(" ");
    out.append(call.at(count > 2 ? 2 : 1)).append("/").append(call.at(count > 2 ? 3 : 2));
  }
}

// {{chem|H|2|O}}, {{chem|SO|4|2-}}: "SO4^2-"
void write_chemistry(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  std::string formula;
  for (std::size_t number = 1; number <= call.count(); ++number) {
    const std::string part = call.plain(number);
    const bool is_charge = !part.empty() && is_ascii_digit(part[0]) && !is_ascii_digit(part.back());
    if (is_charge && !formula.empty() && is_ascii_digit(formula.back())) formula.push_back(kRaiseMark);
    formula.append(part);
  }
  out.append(formula);
}

// {{chem2|H2O}}: as it stands, unless signs stand in it for charges, arrows or bonds.
void write_plain_chemistry(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string formula = call.plain(1);
  const bool is_plain = std::all_of(formula.begin(), formula.end(), [](char byte) {
    return is_ascii_letter(byte) || is_ascii_digit(byte) ||
           std::string_view("()[] ").find(byte) != std::string_view::npos;
  });
  if (is_plain) out.append(formula);
}

// {{tmath|x^2}}: as between <math> and </math>. What could be markup is written as character references.
void write_tex(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  std::string formula;
  if (call.count() != 1 || !write_formula(call.at(1), formula)) return;
  for (const char byte : formula) {
    if (is_word_byte(byte) || byte == ' ') {
      out.push_back(byte);
    } else {
      out.append("&#").append(std::to_string(static_cast<int>(byte))).append(";");
    }
  }
}

// Blanks between digits are the editor's groups.
std::string typed_number(std::string_view number, const NumberSigns* signs) {
  std::string digits(number);
  replace_all(digits, " ", "");
  const bool is_number = digits.find_first_not_of("0123456789.,-+") == digits.npos;
  if (!is_number) return localized_text(number, signs);
  return localized_number(digits, signs);
}

// "1.5e6": "1,5×10^6"
std::string number_with_power(std::string_view number, const NumberSigns* signs) {
  const std::size_t sign = number.find_first_of("eE");
  const bool has_power = sign != number.npos && sign > 0 && is_ascii_digit(number[sign - 1]) &&
                         whole_number(number.substr(sign + 1)).has_value();
  if (!has_power) return typed_number(number, signs);
  return typed_number(number.substr(0, sign), signs).append("×10^").append(number.substr(sign + 1));
}

// "⋅km" and so on, from the second argument on: units with their exponents. Nothing when a word or number stands where
// a unit is expected, or another text where an exponent is.
std::optional<std::string> units_with_exponents(TemplateCall& call) {
  constexpr std::size_t kLastExponent = 11;
  constexpr auto kNoUnits =
      std::to_array<std::string_view>({"à", "et", "ou", "-", "–", "x", "×", "±", "+", "/", "a", "y"});
  std::string text;
  for (std::size_t number = 2; number <= std::min(call.count(), kLastExponent); number += 2) {
    const std::string unit = call.plain(number);
    const std::string exponent = call.plain(number + 1);
    if (unit.empty() && exponent.empty()) continue;
    const bool is_unit = !unit.empty() && !is_ascii_digit(unit[0]) &&
                         std::find(kNoUnits.begin(), kNoUnits.end(), unit) == kNoUnits.end();
    if (!is_unit || (!exponent.empty() && !is_number(exponent))) return std::nullopt;
    text.append(number == 2 ? " " : "⋅").append(call.at(number));
    if (!exponent.empty()) text.append(1, kRaiseMark).append(exponent);
  }
  return text;
}

// {{unité|5|km}}, {{unité|10000|km||h|-1}}, {{unité|1,5|e=9|kg}}, {{unité|16|à=96|bits}}: the number or two, the power
// of ten, units with exponents.
void write_number_and_unit(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string first = call.plain(1);
  const auto units = units_with_exponents(call);
  if (first.empty() || !units) return;
  const NumberSigns* signs = call.table().number_signs();
  out.append(number_with_power(first, signs));
  for (const std::string_view word : {"à", "et", "ou", "×", "±"}) {
    const std::string second = call.plain(word);
    if (!second.empty()) out.append(" ").append(word).append(" ").append(typed_number(second, signs));
  }
  if (!call.named("e").empty()) out.append("×10^").append(call.named("e"));
  out.append(*units);
}

// Italian {{M|1|c|m}}, {{M|5|ul=km}}: "1 cm", "5 km".
void write_m(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string first = call.plain(1);
  if (first.empty() || !(is_ascii_digit(first[0]) || first[0] == '-')) return;
  out.append(first);
  const std::string typed = call.at(2) + call.at(3);
  const std::string& unit = typed.empty() ? call.any_of({"ul", "u"}) : typed;
  if (!unit.empty()) out.append(" ").append(unit);
}

// German {{Höhe|115|DE-NHN}}: "115 m ü. NHN"; {{mnm|115}}: "115 m"
void write_metres(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  if (call.at(1).empty()) return;
  constexpr auto kLevels = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"DE-NHN", "NHN"}, {"DE", "NHN"}, {"DE-NN", "NN"}, {"DE-HN", "HN"}, {"AT", "A."}, {"CH", "M."}});
  const std::string country = call.plain(2);
  const auto* found =
      std::find_if(kLevels.begin(), kLevels.end(), [&](const auto& one) { return one.first == country; });
  if (!country.empty() && found == kLevels.end()) return;
  out.append(call.at(1)).append(" m");
  if (found != kLevels.end()) out.append(" ü. ").append(found->second);
}

// French {{nombre en romain|14}}: "XIV"
void write_roman(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const auto number = whole_number(call.plain(1));
  if (call.count() == 1 && number) out.append(roman_numeral(*number));
}

// {{spellnum|5}}: "five"
void write_spelled_number(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const auto number = whole_number(call.plain(1));
  if (number && *number >= 0) out.append(spelled_number(*number, false));
}

// {{percentage|1|4}}: "25%". How many decimals another one has without a third argument, an article does not say.
void write_percentage(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const auto part = whole_number(call.plain(1));
  const auto whole = whole_number(call.plain(2));
  if (!part || !whole || *whole <= 0 || *part < 0 || *part > 1'000'000) return;
  if (call.at(3).empty() && *part * 100 % *whole == 0) out.append(std::to_string(*part * 100 / *whole)).append("%");
}

// {{subatomic particle|Electron}}: "e−"
void write_particle(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  constexpr std::pair<std::string_view, std::string_view> kSymbols[] = {
      {"electron", "e−"}, {"positron", "e+"}, {"proton", "p"}, {"neutron", "n"},
      {"photon", "γ"},    {"muon", "μ−"},     {"tau", "τ−"}};
  const std::string name = normal_name(call.plain(1));
  for (const auto& [particle, symbol] : kSymbols) {
    if (particle == name) out.append(symbol);
  }
}

constexpr TemplateEntry kNumberTemplates[] = {
    {"val", write_value, {}, "fmt"},
    {"nombre en romain", write_roman, {}, {}, "fr"},
    {"frac, fraction, sfrac, frac2", write_fraction},
    {"chem", write_chemistry},
    {"chem2", write_plain_chemistry},
    {"tmath", write_tex},
    {"unité, unit, nombre, nb", write_number_and_unit, {}, {}, "fr"},
    {"unidad", write_number_and_unit, {}, {}, "es"},
    {"число, num", write_number_and_unit, {}, {}, "ru"},
    {"mnm, höhe", write_metres, {}, {}, "de"},
    {"m", write_m, {}, {}, "it"},
    {"spellnum", write_spelled_number, {}, {}, "en"},
    {"percentage", write_percentage, {}, {}, "en"},
    {"subatomic particle", write_particle, {}, {}, "en"},
};

}  // namespace

std::span<const TemplateEntry> number_templates() {
  return kNumberTemplates;
}

}  // namespace bertprep::clean
