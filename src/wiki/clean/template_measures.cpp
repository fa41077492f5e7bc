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

constexpr std::size_t kMostArguments = 16;

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

bool is_english(std::string_view language) {
  return language == "en" || language == "simple";
}

// "1,234.5" in the way of the wiki's language.
std::string localized(const std::string& number, const Conversion& asked) {
  const NumberSigns* signs = asked.table == nullptr ? nullptr : asked.table->number_signs();
  return signs == nullptr ? number : localized_groups(number, *signs);
}

// English names say nothing in another language: there a unit without a name of its own has its symbol.
std::string unit_name(const Unit& unit, bool is_short, bool is_singular, const Conversion& asked) {
  const UnitName* own = asked.table == nullptr ? nullptr : asked.table->find_unit(unit.code);
  if (own != nullptr && !is_short) return std::string(is_singular ? own->singular : own->plural);
  if (own != nullptr && !own->symbol.empty()) return std::string(own->symbol);
  if (is_short || asked.table != nullptr) return std::string(unit.symbol);
  const std::string_view name = is_singular ? unit.singular : unit.plural;
  return asked.is_american ? american_spelling(name) : std::string(name);
}

void append_unit(const ScaledUnit& scaled, bool is_short, bool is_singular, const Conversion& asked, bool is_adjective,
                 std::string& out) {
  const bool is_one = (is_singular && scaled.power == 0) || is_adjective;
  const std::string name = unit_name(*scaled.unit, is_short, is_one, asked);
  out.append(scaled.power_name(is_short || asked.table != nullptr));
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

std::string shown_number(double value, const std::string& digits, bool is_spelled, const Conversion& asked) {
  const std::string words = is_spelled ? spelled_number(value, asked.is_american) : std::string();
  return words.empty() ? digits : words;
}

std::string given_text(const Conversion& asked, bool is_short, bool is_adjective) {
  std::string text;
  for (std::size_t i = 0; i < asked.measures.size(); ++i) {
    if (i > 0) text.append(range_text(asked.between[i - 1], is_short, asked.table).value_or(" "));
    const Measure& measure = asked.measures[i];
    text.append(shown_number(measure.value, localized(measure.shown, asked), asked.is_given_spelled, asked));
  }
  if (!asked.before.empty()) text.append(" ").append(asked.before);
  if (!asked.unit) return text + (asked.unit_text.empty() ? "" : " " + asked.unit_text);
  const bool is_one = asked.measures.size() == 1 && asked.measures[0].value <= 1 && asked.measures[0].value > 0;
  append_unit(*asked.unit, is_short, is_one, asked, is_adjective, text);
  for (const auto& [measure, unit] : asked.smaller) {
    text.append(" ").append(localized(measure.shown, asked));
    append_unit({unit, 0}, is_short, measure.value == 1, asked, is_adjective, text);
  }
  if (is_adjective) text.append(asked.middle);
  return text;
}

// 5 ft 10 in are 70 in.
Given given_of(const Conversion& asked, std::size_t index) {
  const Measure& measure = asked.measures[index];
  if (asked.smaller.empty()) return {measure.value, measure.precision, *asked.unit};
  const auto& [last, unit] = asked.smaller.back();
  Given given{asked.unit->base_of(measure.value) / unit->size, std::max(last.precision, 0.0), {unit, 0}};
  for (const auto& [part, part_unit] : asked.smaller) given.value += part.value * part_unit->size / unit->size;
  given.ends_in_inches = unit->code == "in";
  return given;
}

// "5 ft 11 in"
std::string feet_and_inches(double feet, const Conversion& asked) {
  const double inches = std::round(feet * 12);
  const double whole = std::floor(inches / 12);
  std::string text = localized(written_number(whole, 0), asked);
  append_unit({find_unit("ft"), 0}, true, false, asked, false, text);
  const bool is_wide_unit = ends_wide(text);
  text.append(is_wide_unit ? "" : " ").append(localized(written_number(inches - whole * 12, 0), asked));
  append_unit({find_unit("in"), 0}, true, false, asked, false, text);
  return text;
}

std::string rounded_number(double value, int places, const Conversion& asked) {
  if (asked.places) return written_number(value, *asked.places);
  if (asked.digits) return written_number(value, places_for_digits(value, *asked.digits));
  if (asked.steps) return written_number(std::round(value / *asked.steps) * *asked.steps, *asked.steps < 1 ? 1 : 0);
  return written_number(value, places);
}

// The numbers of a range are equally precise.
std::string result_text(const Conversion& asked, const ScaledUnit& target, bool is_short, bool is_adjective) {
  std::vector<double> results;
  int places = -12;
  for (std::size_t i = 0; i < asked.measures.size(); ++i) {
    const Given given = given_of(asked, i);
    results.push_back(converted(given, target));
    places = std::max(places, fitting_places(given, results.back(), target));
  }
  std::string text;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i > 0) text.append(range_text(asked.between[i - 1], is_short, asked.table).value_or(" "));
    const std::string digits = rounded_number(results[i], places, asked);
    const auto shown = asked.is_result_spelled ? read_measure(digits) : std::nullopt;
    text.append(shown ? shown_number(shown->value, digits, true, asked) : localized(digits, asked));
  }
  if (!asked.is_number_only) append_unit(target, is_short, text == "1" || text == "one", asked, is_adjective, text);
  return text;
}

// All targets: "L impgal" gives two results.
std::string results_text(const Conversion& asked, bool is_short, bool is_adjective) {
  const std::string name = normal_name(asked.targets);
  const Quantity quantity = asked.unit->unit->quantity;
  if ((name == "ftin" || name == "ft in") && quantity == Quantity::kLength && asked.measures.size() == 1) {
    return feet_and_inches(converted(given_of(asked, 0), {find_unit("ft"), 0}), asked);
  }
  std::string text;
  if (const auto whole = find_scaled_unit(asked.targets); whole && whole->unit->quantity == quantity) {
    return result_text(asked, *whole, is_short, is_adjective);
  }
  std::string_view rest = asked.targets;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(" +"), rest.size());
    const auto target = find_scaled_unit(rest.substr(0, end));
    if (target && target->unit->quantity == quantity) {
      if (!text.empty()) text.append("; ");
      text.append(result_text(asked, *target, is_short, is_adjective));
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return text;
}

// Numbers and the words between them, up to the unit. False: the first argument is no number.
bool read_numbers(TemplateCall& call, std::size_t& next, Conversion& asked) {
  for (;;) {
    const std::string text = call.plain(next);
    auto measure = read_measure(text);
    if (!measure) return false;
    asked.measures.push_back(std::move(*measure));
    ++next;
    const std::string word = call.plain(next);
    if (!range_text(word, false, nullptr) || next >= kMostArguments || !read_measure(call.plain(next + 1))) return true;
    asked.between.push_back(word);
    ++next;
  }
}

void read_options(TemplateCall& call, Conversion& asked) {
  const std::string abbr = call.plain("abbr");
  const bool is_cvt = call.name() == "cvt";
  asked.is_given_short = abbr == "on" || abbr == "in" || abbr == "~" || (is_cvt && abbr.empty());
  asked.is_result_short = !(abbr == "off" || abbr == "none" || abbr == "in");
  const std::string adjective = call.plain("adj");
  asked.is_adjective = adjective == "on" || adjective == "mid" || adjective == "1" || call.plain("sing") == "on";
  asked.is_american = call.plain("sp") == "us" || call.plain("spell") == "us";
  const std::string disp = call.plain("disp");
  asked.is_number_only = disp == "number" || disp == "output number only";
  const std::string spell = call.plain("spell");
  asked.is_given_spelled = ascii_lower(spell) == "in" || ascii_lower(spell) == "on";
  asked.is_result_spelled = ascii_lower(spell) == "on";
  asked.is_capital = spell == "In" || spell == "On";
  asked.digits = whole_number(call.plain("sigfig"));
  if (asked.digits) asked.digits = std::clamp(*asked.digits, 1, 15);
  const auto steps = read_measure(call.plain("round"));
  if (steps && steps->value > 0) asked.steps = steps->value;
  asked.is_flipped = call.plain("order") == "flip" || call.plain("disp") == "flip";
  if (is_english(call.language())) return;
  asked.table = &call.table();
  asked.is_adjective = asked.is_given_spelled = asked.is_result_spelled = asked.is_capital = false;
}

void read_units(TemplateCall& call, std::size_t next, Conversion& asked) {
  asked.unit_text = call.plain(next++);
  asked.unit = find_scaled_unit(asked.unit_text);
  while (asked.unit && next < kMostArguments) {
    auto measure = read_measure(call.plain(next));
    const Unit* unit = measure ? find_unit(call.plain(next + 1)) : nullptr;
    const Unit& larger = *asked.unit->unit;
    if (unit == nullptr || unit->quantity != larger.quantity || unit->size >= larger.size) break;
    asked.smaller.emplace_back(std::move(*measure), unit);
    next += 2;
  }
  for (; next <= std::min(call.count(), kMostArguments); ++next) {
    const std::string text = call.plain(next);
    if (const auto places = whole_number(text)) {
      asked.places = std::clamp(*places, -9, 9);
    } else if (asked.targets.empty() && (text.empty() || text[0] != '-')) {
      asked.targets = text;
    } else if (call.plain("adj") == "pre") {
      asked.before = text;
    } else if (asked.is_adjective) {
      asked.middle = text.starts_with('-') || text.empty() ? text : " " + text;
    }
  }
  if (asked.targets.empty() && asked.unit) asked.targets = std::string(asked.unit->unit->target);
}

void write_conversion(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  Conversion asked;
  std::size_t next = 1;
  if (!read_numbers(call, next, asked)) {
    out.append(call.at(1));
    if (!call.at(1).empty() && !call.at(2).empty()) out.append(" ").append(call.at(2));
    return;
  }
  read_options(call, asked);
  read_units(call, next, asked);
  const bool is_temperature = asked.unit && asked.unit->unit->quantity == Quantity::kTemperature;
  if (is_temperature && !call.has("abbr")) asked.is_given_short = true;
  const std::string result = !asked.unit ? ""
                                         : results_text(asked, asked.is_result_short && !asked.is_flipped,
                                                        asked.is_flipped && asked.is_adjective);
  if (result.empty()) {
    out.append(given_text(asked, asked.is_given_short, asked.is_adjective));
    return;
  }
  const std::string disp = call.plain("disp");
  if (disp == "out" || disp == "output only" || disp == "output" || asked.is_number_only) {
    out.append(results_text(asked, asked.is_result_short, false));
    return;
  }
  const std::string given = asked.is_flipped ? given_text(asked, asked.is_result_short, false)
                                             : given_text(asked, asked.is_given_short, asked.is_adjective);
  std::string first = asked.is_flipped ? result : given;
  if (asked.is_capital && is_ascii_letter(first[0])) first[0] = static_cast<char>(first[0] & ~0x20);
  const std::string& second = asked.is_flipped ? given : result;
  if (disp == "unit") {
    out.append(unit_name(*asked.unit->unit, asked.is_given_short, asked.is_adjective, asked));
  } else if (disp == "or") {
    out.append(first).append(range_text("or", false, asked.table).value_or(" or ")).append(second);
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
  const std::string asked = call.plain(4);
  const Unit* other = asked.empty() ? find_unit(unit == nullptr ? "" : unit->target) : find_unit("/" + asked);
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
