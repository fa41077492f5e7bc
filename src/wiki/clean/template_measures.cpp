#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "wiki/clean/conversion.h"
#include "wiki/clean/digits.h"
#include "wiki/clean/language_table.h"
#include "wiki/clean/markup/chars.h"
#include "wiki/clean/measure.h"
#include "wiki/clean/ranges.h"
#include "wiki/clean/templates.h"

namespace bertprep::clean {
namespace {

// "1,234.5" in the way of the wiki's language.
std::string localized(const std::string& number, const Conversion& conversion) {
  const NumberSigns* signs = conversion.table == nullptr ? nullptr : conversion.table->number_signs();
  return signs == nullptr ? number : localized_groups(number, *signs);
}

// English names say nothing in another language: there a unit without a name of its own has its symbol.
std::string unit_name(const Unit& unit, bool is_short, bool is_singular, const Conversion& conversion) {
  const UnitName* own = conversion.table == nullptr ? nullptr : conversion.table->find_unit(unit.code);
  if (own != nullptr && !is_short) return std::string(is_singular ? own->singular : own->plural);
  if (own != nullptr && !own->symbol.empty()) return std::string(own->symbol);
  if (is_short || conversion.table != nullptr) return std::string(unit.symbol);
  const std::string_view name = is_singular ? unit.singular : unit.plural;
  return conversion.is_american ? american_spelling(name) : std::string(name);
}

void append_unit(const ScaledUnit& scaled, bool is_short, bool is_singular, const Conversion& conversion,
                 bool is_adjective, std::string& out) {
  const bool is_one = (is_singular && scaled.power == 0) || is_adjective;
  const std::string name = unit_name(*scaled.unit, is_short, is_one, conversion);
  out.append(scaled.power_name(is_short || conversion.table != nullptr));
  const bool is_degree = name.starts_with("°") || name.starts_with('/');
  const bool is_joined = (is_degree && name.starts_with('/')) || is_wide(name.front());
  if (!is_joined) out.push_back(is_adjective && !is_short ? '-' : ' ');
  if (is_adjective && !is_short) {
    std::string hyphened = name;
    replace_all(hyphened, " ", "-");
    out.append(hyphened);
  } else {
    out.append(name);
  }
}

std::string shown_number(double value, const std::string& digits, bool is_spelled, const Conversion& conversion) {
  const std::string words = is_spelled ? spelled_number(value, conversion.is_american) : std::string();
  return words.empty() ? digits : words;
}

// "5 ft × 6 ft": a cross stands between measures, a word between numbers.
void append_between(const std::string& word, const ScaledUnit& unit, bool is_short, const Conversion& conversion,
                    std::string& out) {
  const bool has_unit = is_short && (word == "x" || word == "×" || word == "*") && conversion.table == nullptr;
  if (has_unit) append_unit(unit, true, false, conversion, false, out);
  out.append(range_text(word, is_short, conversion.table).value_or(" "));
}

// "$", which stands before the number of "$/lb".
std::string_view currency_of(const ScaledUnit& unit) {
  return unit.unit->code.substr(0, unit.unit->quantity == Quantity::kPrice ? 1 : 0);
}

std::string given_text(const Conversion& conversion, bool is_short, bool is_adjective) {
  std::string text;
  for (std::size_t i = 0; i < conversion.measures.size(); ++i) {
    if (i > 0) append_between(conversion.between[i - 1], *conversion.unit, is_short, conversion, text);
    const Measure& measure = conversion.measures[i];
    text.append(currency_of(*conversion.unit));
    text.append(
        shown_number(measure.value, localized(measure.shown, conversion), conversion.is_given_spelled, conversion));
  }
  if (!conversion.before.empty()) text.append(" ").append(conversion.before);
  if (conversion.has_no_units) return text;
  const bool is_one =
      conversion.measures.size() == 1 && conversion.measures[0].value <= 1 && conversion.measures[0].value > 0;
  append_unit(*conversion.unit, is_short, is_one, conversion, is_adjective, text);
  for (const auto& [measure, unit] : conversion.smaller) {
    text.append(" ").append(localized(measure.shown, conversion));
    append_unit({unit, 0}, is_short, measure.value == 1, conversion, is_adjective, text);
  }
  if (is_adjective) text.append(conversion.middle);
  return text;
}

// 5 ft 10 in are 70 in.
Given given_of(const Conversion& conversion, std::size_t index) {
  const Measure& measure = conversion.measures[index];
  if (conversion.smaller.empty()) return {measure.value, measure.precision, *conversion.unit};
  const auto& [last, unit] = conversion.smaller.back();
  Given given{conversion.unit->base_of(measure.value) / unit->size, std::max(last.precision, 0.0), {unit, 0}};
  for (const auto& [part, part_unit] : conversion.smaller) given.value += part.value * part_unit->size / unit->size;
  given.ends_in_inches = unit->code == "in";
  return given;
}

// An output in two units: "ftin" gives "5 ft 11 in".
struct PairOfUnits {
  std::string_view code;
  std::string_view other_code;
  std::string_view larger;
  std::string_view smaller;
};

const PairOfUnits* find_pair(std::string_view code) {
  static constexpr auto kPairs = std::to_array<PairOfUnits>(
      {{"ftin", "ft in", "ft", "in"}, {"lboz", "lb oz", "lb", "oz"}, {"stlb", "st lb", "st", "lb"}});
  const auto found = std::find_if(kPairs.begin(), kPairs.end(),
                                  [&](const PairOfUnits& p) { return p.code == code || p.other_code == code; });
  return found == kPairs.end() ? nullptr : &*found;
}

std::string paired_text(const PairOfUnits& pair, const Conversion& conversion) {
  const Unit* const larger = find_unit(pair.larger);
  const Unit* const smaller = find_unit(pair.smaller);
  const double count = std::round(converted(given_of(conversion, 0), {smaller, 0}));
  const double ratio = std::round(larger->size / smaller->size);
  const double whole = std::floor(count / ratio);
  std::string text = localized(written_number(whole, 0), conversion);
  append_unit({larger, 0}, true, false, conversion, false, text);
  const bool is_wide_unit = ends_wide(text);
  text.append(is_wide_unit ? "" : " ").append(localized(written_number(count - whole * ratio, 0), conversion));
  append_unit({smaller, 0}, true, false, conversion, false, text);
  return text;
}

// "1 7/8"
std::string number_in_fractions(double value, int denominator) {
  const double parts = std::round(std::abs(value) * denominator);
  const double whole = std::floor(parts / denominator);
  const int rest = static_cast<int>(parts - whole * denominator);
  const int divisor = std::gcd(rest, denominator);
  std::string text = written_number(value < 0 ? -whole : whole, 0);
  if (rest == 0) return text;
  if (whole == 0) text = value < 0 ? "−" : "";
  if (whole > 0) text.push_back(' ');
  return text.append(std::to_string(rest / divisor)).append("/").append(std::to_string(denominator / divisor));
}

std::string rounded_number(double value, int places, const Conversion& conversion) {
  if (conversion.fraction) return number_in_fractions(value, *conversion.fraction);
  if (conversion.places) return written_number(value, *conversion.places);
  if (conversion.digits) return written_number(value, places_for_digits(value, *conversion.digits));
  if (conversion.steps) {
    return written_number(std::round(value / *conversion.steps) * *conversion.steps, *conversion.steps < 1 ? 1 : 0);
  }
  return written_number(value, places);
}

// The numbers of a range are equally precise.
std::string result_text(const Conversion& conversion, const ScaledUnit& target, bool is_short, bool is_adjective) {
  std::vector<double> results;
  int places = -12;
  for (std::size_t i = 0; i < conversion.measures.size(); ++i) {
    const Given given = given_of(conversion, i);
    results.push_back(converted(given, target));
    places = std::max(places, fitting_places(given, results.back(), target));
  }
  std::string text;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i > 0) append_between(conversion.between[i - 1], target, is_short, conversion, text);
    const std::string digits = rounded_number(results[i], places, conversion);
    text.append(currency_of(target));
    const auto shown = conversion.is_result_spelled ? read_measure(digits) : std::nullopt;
    text.append(shown ? shown_number(shown->value, digits, true, conversion) : localized(digits, conversion));
  }
  if (!conversion.before_result.empty()) text.append(" ").append(conversion.before_result);
  if (!conversion.is_number_only && !conversion.has_no_units) {
    append_unit(target, is_short, text == "1" || text == "one", conversion, is_adjective, text);
  }
  return text;
}

// One target; empty when it is not known or of another dimension.
std::string target_text(std::string_view code, const Conversion& conversion, bool is_short, bool is_adjective) {
  const Quantity quantity = conversion.unit->unit->quantity;
  if (const PairOfUnits* pair = find_pair(code)) {
    const bool fits = find_unit(pair->larger)->quantity == quantity && conversion.measures.size() == 1 && is_short &&
                      !conversion.places && !conversion.digits && !conversion.steps && conversion.before.empty() &&
                      !conversion.has_no_units && conversion.measures[0].value >= 0;
    return fits ? paired_text(*pair, conversion) : std::string();
  }
  const auto target = find_scaled_unit(code);
  if (!target || target->unit->quantity != quantity || target->unit->code == "hand") return {};
  return result_text(conversion, *target, is_short, is_adjective);
}

// All targets: "L impgal" gives two results. Empty when one of them is not known.
std::string results_text(const Conversion& conversion, bool is_short, bool is_adjective) {
  std::string text = target_text(conversion.targets, conversion, is_short, is_adjective);
  if (!text.empty()) return text;
  std::string_view rest = conversion.targets;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(" +"), rest.size());
    const std::string result = target_text(rest.substr(0, end), conversion, is_short, is_adjective);
    if (result.empty()) return {};
    text.append(text.empty() ? "" : "; ").append(result);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return text;
}

void write_conversion(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const auto read = read_conversion(call);
  if (!read) return;
  const Conversion& conversion = *read;
  const bool is_first_short = conversion.is_flipped
                                  ? call.plain("abbr") == "on" || (call.name() == "cvt" && conversion.is_given_short)
                                  : conversion.is_result_short;
  const std::string result = results_text(conversion, is_first_short, conversion.is_flipped && conversion.is_adjective);
  if (result.empty()) return;
  const std::string disp = call.plain("disp");
  if (disp == "out" || disp == "output only" || disp == "output" || conversion.is_number_only) {
    out.append(results_text(conversion, conversion.is_result_short, false));
    return;
  }
  const std::string given = conversion.is_flipped
                                ? given_text(conversion, conversion.is_result_short, false)
                                : given_text(conversion, conversion.is_given_short, conversion.is_adjective);
  std::string first = conversion.is_flipped ? result : given;
  if (conversion.is_capital && is_ascii_letter(first[0])) first[0] = static_cast<char>(first[0] & ~0x20);
  const std::string& second = conversion.is_flipped ? given : result;
  if (disp == "unit") {
    out.append(unit_name(*conversion.unit->unit, conversion.is_given_short, conversion.is_adjective, conversion));
  } else if (disp == "or") {
    out.append(first).append(range_text("or", false, conversion.table).value_or(" or ")).append(second);
  } else if (disp == "comma" || disp == ",") {
    out.append(first).append(", ").append(second);
  } else if (disp == "/" || disp == "s" || disp == "slash") {
    out.append(first).append("/").append(second);
  } else if (disp == "sqbr") {
    out.append(first).append(" &#91;").append(second).append("&#93;");
  } else {
    const bool has_wide_brackets = ends_wide(second);
    out.append(first).append(has_wide_brackets ? "（" : " (").append(second).append(has_wide_brackets ? "）" : ")");
  }
}

// {{pop density|3645257|640081|km2|sqmi|prec=1}}: "5.7/km2 (14.7/sq mi)". How many decimals there are without prec, an
// article does not say.
void write_population_density(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const auto people = read_measure(call.plain(1));
  const auto area = read_measure(call.plain(2));
  const Unit* unit = find_unit("/" + call.plain(3));
  const std::string conversion = call.plain(4);
  const Unit* other = conversion.empty() ? find_unit(unit == nullptr ? "" : unit->target) : find_unit("/" + conversion);
  const auto places = whole_number(call.plain("prec"));
  if (!people || !area || area->value <= 0 || unit == nullptr || other == nullptr || !places) return;
  const double density = people->value / area->value;
  out.append(written_number(density, *places)).append(unit->symbol).append(" (");
  out.append(written_number(density * unit->size / other->size, *places)).append(other->symbol).append(")");
}

constexpr std::array kMeasureTemplates = std::to_array<TemplateEntry>({
    {"convert", write_conversion},
    {"cvt", write_conversion},
    {"conv", write_conversion},
    {"conversie", write_conversion},
    {"convertir", write_conversion},
    {"تحويل", write_conversion},
    {"converter", write_conversion},
    {"pretvori", write_conversion},
    {"convert-", write_conversion},
    {"pop density", write_population_density},
});

}  // namespace

std::span<const TemplateEntry> measure_templates() {
  return kMeasureTemplates;
}

}  // namespace bertprep::clean
