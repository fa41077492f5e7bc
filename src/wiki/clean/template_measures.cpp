#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "wiki/clean/digits.h"
#include "wiki/clean/language_table.h"
#include "wiki/clean/markup/chars.h"
#include "wiki/clean/measure.h"
#include "wiki/clean/ranges.h"
#include "wiki/clean/templates.h"

namespace bertprep::clean {
namespace {

constexpr std::size_t kMaxArguments = 16;

// What {{convert|...}} asks for.
struct Conversion {
  std::vector<Measure> measures;     // 10 | to | 20
  std::vector<std::string> between;  // " to "
  std::string unit_text;
  std::optional<ScaledUnit> unit;
  std::vector<std::pair<Measure, const Unit*>> smaller;  // the inches of 5 | ft | 10 | in
  std::string targets;
  std::optional<int> places;
  std::optional<int> digits;    // sigfig=3
  std::optional<double> steps;  // round=5
  std::string before;           // "winding" with adj=pre
  std::string middle;           // "-long" with adj=mid
  bool is_adjective = false;
  bool is_american = false;
  bool is_given_short = false;
  bool is_result_short = true;
  bool is_flipped = false;
  bool is_given_spelled = false;
  bool is_result_spelled = false;
  bool is_capital = false;               // spell=In
  bool is_number_only = false;           // disp=number
  const LanguageTable* table = nullptr;  // of another language than English
};

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

std::string given_text(const Conversion& conversion, bool is_short, bool is_adjective) {
  std::string text;
  for (std::size_t i = 0; i < conversion.measures.size(); ++i) {
    if (i > 0) text.append(range_text(conversion.between[i - 1], is_short, conversion.table).value_or(" "));
    const Measure& measure = conversion.measures[i];
    text.append(
        shown_number(measure.value, localized(measure.shown, conversion), conversion.is_given_spelled, conversion));
  }
  if (!conversion.before.empty()) text.append(" ").append(conversion.before);
  if (!conversion.unit) return text + (conversion.unit_text.empty() ? "" : " " + conversion.unit_text);
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

// "5 ft 11 in"
std::string feet_and_inches(double feet, const Conversion& conversion) {
  const double inches = std::round(feet * 12);
  const double whole = std::floor(inches / 12);
  std::string text = localized(written_number(whole, 0), conversion);
  append_unit({find_unit("ft"), 0}, true, false, conversion, false, text);
  const bool is_wide_unit = ends_wide(text);
  text.append(is_wide_unit ? "" : " ").append(localized(written_number(inches - whole * 12, 0), conversion));
  append_unit({find_unit("in"), 0}, true, false, conversion, false, text);
  return text;
}

std::string rounded_number(double value, int places, const Conversion& conversion) {
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
    if (i > 0) text.append(range_text(conversion.between[i - 1], is_short, conversion.table).value_or(" "));
    const std::string digits = rounded_number(results[i], places, conversion);
    const auto shown = conversion.is_result_spelled ? read_measure(digits) : std::nullopt;
    text.append(shown ? shown_number(shown->value, digits, true, conversion) : localized(digits, conversion));
  }
  if (!conversion.is_number_only) {
    append_unit(target, is_short, text == "1" || text == "one", conversion, is_adjective, text);
  }
  return text;
}

// All targets: "L impgal" gives two results.
std::string results_text(const Conversion& conversion, bool is_short, bool is_adjective) {
  const std::string name = normal_name(conversion.targets);
  const Quantity quantity = conversion.unit->unit->quantity;
  if ((name == "ftin" || name == "ft in") && quantity == Quantity::kLength && conversion.measures.size() == 1) {
    return feet_and_inches(converted(given_of(conversion, 0), {find_unit("ft"), 0}), conversion);
  }
  std::string text;
  if (const auto whole = find_scaled_unit(conversion.targets); whole && whole->unit->quantity == quantity) {
    return result_text(conversion, *whole, is_short, is_adjective);
  }
  std::string_view rest = conversion.targets;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(" +"), rest.size());
    const auto target = find_scaled_unit(rest.substr(0, end));
    if (target && target->unit->quantity == quantity) {
      if (!text.empty()) text.append("; ");
      text.append(result_text(conversion, *target, is_short, is_adjective));
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return text;
}

// Numbers and the words between them, up to the unit. False: the first argument is no number.
bool read_numbers(TemplateCall& call, std::size_t& next, Conversion& conversion) {
  for (;;) {
    const std::string text = call.plain(next);
    auto measure = read_measure(text);
    if (!measure) return false;
    conversion.measures.push_back(std::move(*measure));
    ++next;
    const std::string word = call.plain(next);
    if (!range_text(word, false, nullptr) || next >= kMaxArguments || !read_measure(call.plain(next + 1))) return true;
    conversion.between.push_back(word);
    ++next;
  }
}

void read_options(TemplateCall& call, Conversion& conversion) {
  const std::string abbr = call.plain("abbr");
  const bool is_cvt = call.name() == "cvt";
  conversion.is_given_short = abbr == "on" || abbr == "in" || abbr == "~" || (is_cvt && abbr.empty());
  conversion.is_result_short = !(abbr == "off" || abbr == "none" || abbr == "in");
  const std::string adjective = call.plain("adj");
  conversion.is_adjective = adjective == "on" || adjective == "mid" || adjective == "1" || call.plain("sing") == "on";
  conversion.is_american = call.plain("sp") == "us" || call.plain("spell") == "us";
  const std::string disp = call.plain("disp");
  conversion.is_number_only = disp == "number" || disp == "output number only";
  const std::string spell = call.plain("spell");
  conversion.is_given_spelled = ascii_lower(spell) == "in" || ascii_lower(spell) == "on";
  conversion.is_result_spelled = ascii_lower(spell) == "on";
  conversion.is_capital = spell == "In" || spell == "On";
  conversion.digits = whole_number(call.plain("sigfig"));
  if (conversion.digits) conversion.digits = std::clamp(*conversion.digits, 1, 15);
  const auto steps = read_measure(call.plain("round"));
  if (steps && steps->value > 0) conversion.steps = steps->value;
  conversion.is_flipped = call.plain("order") == "flip" || call.plain("disp") == "flip";
  if (call.is_english()) return;
  conversion.table = &call.table();
  conversion.is_adjective = conversion.is_given_spelled = conversion.is_result_spelled = conversion.is_capital = false;
}

void read_units(TemplateCall& call, std::size_t next, Conversion& conversion) {
  conversion.unit_text = call.plain(next++);
  conversion.unit = find_scaled_unit(conversion.unit_text);
  while (conversion.unit && next < kMaxArguments) {
    auto measure = read_measure(call.plain(next));
    const Unit* unit = measure ? find_unit(call.plain(next + 1)) : nullptr;
    const Unit& larger = *conversion.unit->unit;
    if (unit == nullptr || unit->quantity != larger.quantity || unit->size >= larger.size) break;
    conversion.smaller.emplace_back(std::move(*measure), unit);
    next += 2;
  }
  for (; next <= std::min(call.count(), kMaxArguments); ++next) {
    const std::string text = call.plain(next);
    if (const auto places = whole_number(text)) {
      conversion.places = std::clamp(*places, -9, 9);
    } else if (conversion.targets.empty() && (text.empty() || text[0] != '-')) {
      conversion.targets = text;
    } else if (call.plain("adj") == "pre") {
      conversion.before = text;
    } else if (conversion.is_adjective) {
      conversion.middle = text.starts_with('-') || text.empty() ? text : " " + text;
    }
  }
  if (conversion.targets.empty() && conversion.unit) conversion.targets = std::string(conversion.unit->unit->target);
}

void write_conversion(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  Conversion conversion;
  std::size_t next = 1;
  if (!read_numbers(call, next, conversion)) {
    out.append(call.at(1));
    if (!call.at(1).empty() && !call.at(2).empty()) out.append(" ").append(call.at(2));
    return;
  }
  read_options(call, conversion);
  read_units(call, next, conversion);
  const bool is_temperature = conversion.unit && conversion.unit->unit->quantity == Quantity::kTemperature;
  if (is_temperature && !call.has("abbr")) conversion.is_given_short = true;
  const std::string result = !conversion.unit
                                 ? ""
                                 : results_text(conversion, conversion.is_result_short && !conversion.is_flipped,
                                                conversion.is_flipped && conversion.is_adjective);
  if (result.empty()) {
    out.append(given_text(conversion, conversion.is_given_short, conversion.is_adjective));
    return;
  }
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
