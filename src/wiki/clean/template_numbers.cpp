#include <algorithm>
#include <array>
#include <utility>

#include "wiki/clean/digits.h"
#include "wiki/clean/language_table.h"
#include "wiki/clean/markup/chars.h"
#include "wiki/clean/markup/formula.h"
#include "wiki/clean/templates.h"

namespace bertprep::clean {
namespace {

// {{val|6.241|0.002|e=18|u=kg}}: "6.241±0.002×10^18 kg". Lithuanian {{val|de|Berlin}} holds a text.
void write_value(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string number = call.plain(1);
  if (!number.empty() && is_ascii_letter(number[0])) {
    out.append(call.at(2));
    return;
  }
  out.append(call.named("p")).append(localized_number(number, call.table().number_signs()));
  if (!call.at(2).empty()) out.append("±").append(call.at(2));
  if (!call.named("e").empty()) out.append(number.empty() ? "10^" : "×10^").append(call.named("e"));
  const std::string& unit = call.any_of({"u", "ul"});
  if (!unit.empty()) out.append(unit.starts_with("%") || unit.starts_with("°") ? "" : " ").append(unit);
  const std::string& below = call.any_of({"up", "upl"});
  if (!below.empty()) out.append("/").append(below);
  out.append(call.named("s"));
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

void write_money(TemplateCall& call, std::string_view detail, std::string& out) {
  out.append(detail).append(call.any_of({"1", "amount"}));
}

// {{chem|H|2|O}}, {{su|p=+|b=2}}
void write_chemistry(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  std::string formula;
  for (std::size_t number = 1; number <= call.count(); ++number) formula.append(call.at(number));
  replace_all(formula, "''", "");
  out.append(formula);
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

void write_stacked(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  out.append(call.named("b")).append(call.named("p"));
}

// {{SimpleNuclide|Uranium|235}}: "uranium-235" as it stands
void write_nuclide(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  if (call.at(1).empty()) return;
  out.append(call.at(1));
  if (!call.at(2).empty()) out.append("-").append(call.at(2));
}

// {{e|6}}: "×10^6"
void write_power(TemplateCall& call, std::string_view detail, std::string& out) {
  if (!call.at(1).empty()) out.append(detail).append(call.at(1));
}

// Italian {{exp|1,9|19}}: "1,9×10^19"; French {{exp|2}} raises.
void write_exponent(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  if (call.count() > 1) {
    out.append(call.at(1)).append("×10^").append(call.at(2));
  } else if (!call.at(1).empty()) {
    out.append(1, kRaiseMark).append(call.at(1));
  }
}

// French {{3}}: raised.
void write_raised(TemplateCall& call, std::string_view detail, std::string& out) {
  if (call.language() == "fr") out.append(1, kRaiseMark).append(detail);
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

// {{unité|5|km}}, {{unité|10000|km||h|-1}}, {{unité|1,5|e=9|kg}}, {{unité|16|à=96|bits}}: the number or two, the power
// of ten, units with exponents.
void write_number_and_unit(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string first = call.plain(1);
  if (first.empty()) return;
  const NumberSigns* signs = call.table().number_signs();
  out.append(number_with_power(first, signs));
  for (const std::string_view word : {"à", "et", "ou", "×", "±"}) {
    const std::string second = call.plain(word);
    if (!second.empty()) out.append(" ").append(word).append(" ").append(typed_number(second, signs));
  }
  if (!call.named("e").empty()) out.append("×10^").append(call.named("e"));
  for (std::size_t number = 2; number <= std::min<std::size_t>(call.count(), 11); number += 2) {
    if (call.at(number).empty()) continue;
    out.append(number == 2 ? " " : "⋅").append(call.at(number));
    if (!call.at(number + 1).empty()) out.append(1, kRaiseMark).append(call.at(number + 1));
  }
}

// Italian {{M|1|c|m}}: "1 cm". English {{m|la|verbum}} mentions a word.
void write_m(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string first = call.plain(1);
  if (first.empty() || !(is_ascii_digit(first[0]) || first[0] == '-')) {
    out.append(call.at(2));
    return;
  }
  out.append(first);
  const std::string unit = call.at(2) + call.at(3);
  if (!unit.empty()) out.append(" ").append(unit);
}

// German {{Höhe|115|DE-NHN}}: "115 m ü. NHN"; {{mnm|115}}: "115 m"
void write_metres(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  if (call.at(1).empty()) return;
  constexpr auto kLevels = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"DE-NHN", "NHN"}, {"DE", "NHN"}, {"DE-NN", "NN"}, {"DE-HN", "HN"}, {"AT", "A."}, {"CH", "M."}});
  out.append(call.at(1)).append(" m");
  const std::string country = call.plain(2);
  for (const auto& [code, level] : kLevels) {
    if (code == country) out.append(" ü. ").append(level);
  }
}

// {{height|ft=5|in=10}}, {{height|m=1.85}}
void write_height(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  constexpr auto kUnits = std::to_array<std::string_view>({"ft", "in", "m", "cm", "stlb", "kg", "lb"});
  bool is_first = true;
  for (const std::string_view unit : kUnits) {
    const std::string& number = call.named(unit);
    if (number.empty()) continue;
    out.append(is_first ? "" : " ").append(number).append(" ").append(unit);
    is_first = false;
  }
}

// {{mya|5|6}}: "5–6 million years ago"; in other languages with the sign, "5–6 Ma".
void write_ages_ago(TemplateCall& call, std::string_view detail, std::string& out) {
  if (call.at(1).empty()) return;
  out.append(call.at(1));
  if (!call.at(2).empty()) out.append("–").append(call.at(2));
  out.append(" ").append(call.is_english() ? detail : "Ma");
}

// French {{nombre en romain|14}}: "XIV"
void write_roman(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  constexpr auto kNumerals = std::to_array<std::pair<int, std::string_view>>({{1000, "M"},
                                                                              {900, "CM"},
                                                                              {500, "D"},
                                                                              {400, "CD"},
                                                                              {100, "C"},
                                                                              {90, "XC"},
                                                                              {50, "L"},
                                                                              {40, "XL"},
                                                                              {10, "X"},
                                                                              {9, "IX"},
                                                                              {5, "V"},
                                                                              {4, "IV"},
                                                                              {1, "I"}});
  const auto number = whole_number(call.plain(1));
  if (call.language() != "fr" || call.count() != 1 || !number || *number < 1 || *number > 3999) return;
  int rest = *number;
  for (const auto& [value, numeral] : kNumerals) {
    for (; rest >= value; rest -= value) out.append(numeral);
  }
}

constexpr std::array kNumberTemplates = std::to_array<TemplateEntry>({
    {"val", write_value},
    {"nombre en romain", write_roman},
    {"frac", write_fraction},
    {"fraction", write_fraction},
    {"sfrac", write_fraction},
    {"frac2", write_fraction},
    {"us$", write_money, "US$"},
    {"USD", write_money, "US$"},
    {"us dollar", write_money, "US$"},
    {"$", write_money, "$"},
    {"a$", write_money, "A$"},
    {"AUD", write_money, "A$"},
    {"au$", write_money, "A$"},
    {"c$", write_money, "C$"},
    {"CAD", write_money, "C$"},
    {"ca$", write_money, "C$"},
    {"can$", write_money, "C$"},
    {"nz$", write_money, "NZ$"},
    {"NZD", write_money, "NZ$"},
    {"hk$", write_money, "HK$"},
    {"s$", write_money, "S$"},
    {"nt$", write_money, "NT$"},
    {"£", write_money, "£"},
    {"GBP", write_money, "£"},
    {"pound sterling", write_money, "£"},
    {"€", write_money, "€"},
    {"EUR", write_money, "€"},
    {"euro", write_money, "€"},
    {"INR", write_money, "₹"},
    {"inrconvert", write_money, "₹"},
    {"₹", write_money, "₹"},
    {"¥", write_money, "¥"},
    {"JPY", write_money, "¥"},
    {"jp¥", write_money, "¥"},
    {"CNY", write_money, "CN¥"},
    {"RMB", write_money, "CN¥"},
    {"PHP", write_money, "₱"},
    {"KRW", write_money, "₩"},
    {"₩", write_money, "₩"},
    {"CHF", write_money, "CHF "},
    {"SEK", write_money, "SEK "},
    {"NOK", write_money, "NOK "},
    {"DKK", write_money, "DKK "},
    {"ZAR", write_money, "R"},
    {"r$", write_money, "R$"},
    {"BRL", write_money, "R$"},
    {"ILS", write_money, "₪"},
    {"currency", write_money, ""},
    {"pengő", write_money, ""},
    {"chem", write_chemistry},
    {"chem2", write_chemistry},
    {"ce", write_chemistry},
    {"fchim", write_chemistry},
    {"fmlchm", write_chemistry},
    {"su", write_stacked},
    {"tmath", write_tex},
    {"simplenuclide", write_nuclide},
    {"simplenuclide2", write_nuclide},
    {"nuclide", write_nuclide},
    {"nuclide link", write_nuclide},
    {"e", write_power, "×10^"},
    {"esp", write_power, "×10^"},
    {"10^", write_power, "10^"},
    {"exp", write_exponent},
    {"2", write_raised, "2"},
    {"3", write_raised, "3"},
    {"unité", write_number_and_unit},
    {"unit", write_number_and_unit},
    {"unidad", write_number_and_unit},
    {"nombre", write_number_and_unit},
    {"nb", write_number_and_unit},
    {"число", write_number_and_unit},
    {"num", write_number_and_unit},
    {"km", write_number_and_unit},
    {"mnm", write_metres},
    {"m", write_m},
    {"höhe", write_metres},
    {"height", write_height},
    {"ma", write_ages_ago, "Ma"},
    {"mya", write_ages_ago, "million years ago"},
});

}  // namespace

std::span<const TemplateEntry> number_templates() {
  return kNumberTemplates;
}

}  // namespace bertprep::clean
