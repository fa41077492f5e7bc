
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "wiki/clean/markup/chars.h"
#include "wiki/clean/templates.h"

namespace bertprep::clean {
namespace {

// Whether the byte begins a Chinese or Japanese character, which no blank parts from a number.
constexpr bool is_wide(char first) {
  return static_cast<unsigned char>(first) >= 0xE3 && static_cast<unsigned char>(first) <= 0xE9;
}

// Whether `text` ends with such a character.
constexpr bool ends_wide(std::string_view text) {
  return text.size() >= 3 && is_wide(text[text.size() - 3]) && (text.back() & 0xC0) == 0x80;
}

// A sign where the language has no word here.
std::string translated(std::string_view english, const LanguageTable* table) {
  if (table == nullptr) return " " + std::string(english) + " ";
  const std::string_view own = table->range_word(english);
  if (own.empty()) return english == "to" ? "–" : english == "by" ? " × " : english == "or" ? " / " : ", ";
  return is_wide(own.front()) ? std::string(own) : " " + std::string(own) + " ";
}

// What the template's word becomes, blanks included: " to ", "–", in symbols " × ", in names " by ". In the words of
// `table` unless it is null. Nothing: no such word.
std::optional<std::string> range_text(std::string_view word, bool is_short, const LanguageTable* table) {
  const std::string name = normal_name(word);
  if (name == "-" || name == "–" || name == "to(-)" || name == "to-") return "–";
  if (name == "x" || name == "×" || name == "by" || name == "*" || name == "xx") {
    return is_short ? " × " : translated("by", table);
  }
  if (name == "to" || name == "and" || name == "or") return translated(name, table);
  if (name == "and(-)") return translated("and", table);
  if (name == "to about") return table == nullptr ? " to about " : translated("to", table);
  if (name == "+/-" || name == "±" || name == "+") return name == "+" ? " + " : " ± ";
  if (name == ",") return ", ";
  if (name == ", and" || name == ", or") {
    const bool has_word = table == nullptr || !table->range_word(name.substr(2)).empty();
    return has_word ? "," + translated(name.substr(2), table) : ", ";
  }
  return std::nullopt;
}

struct Conversion {
  std::vector<Measure> measures;     // 10 | to | 20
  std::vector<std::string> between;  // " to "
  std::optional<ScaledUnit> unit;
  std::vector<std::pair<Measure, const Unit*>> smaller;  // the inches of 5 | ft | 10 | in
  std::string targets;
  std::optional<int> places;
  std::optional<int> digits;    // sigfig=3
  std::optional<double> steps;  // round=5
  std::optional<int> fraction;  // frac=8
  std::string before;           // "winding" with adj=pre
  std::string before_result;
  std::string middle;  // "-long" with adj=mid
  bool is_adjective = false;
  bool is_american = false;
  bool is_given_short = false;
  bool is_result_short = true;
  bool is_flipped = false;
  bool is_given_spelled = false;
  bool is_result_spelled = false;
  bool is_capital = false;               // spell=In
  bool is_number_only = false;           // disp=number
  bool has_no_units = false;             // abbr=values
  const LanguageTable* table = nullptr;  // of another language than English
};

constexpr std::size_t kMaxConversionArguments = 16;

// "5–6", "5 to 6"
bool read_typed_range(std::string_view text, Conversion& conversion) {
  for (const std::string_view word : {" to ", " and ", " or ", "–", "-"}) {
    const std::size_t at = text.find(word, 1);
    if (at == text.npos) continue;
    auto first = read_measure(text.substr(0, at));
    auto last = read_measure(text.substr(at + word.size()));
    if (!first || !last) return false;
    conversion.measures.assign({std::move(*first), std::move(*last)});
    conversion.between.emplace_back(trim(word));
    return true;
  }
  return false;
}

// Numbers and the words between them, up to the unit. False: the first argument is no number.
bool read_numbers(TemplateCall& call, std::size_t& next, Conversion& conversion) {
  for (;;) {
    const std::string text = call.plain(next);
    auto measure = read_measure(text);
    if (!measure && conversion.measures.empty() && text.size() > 2 && read_typed_range(text, conversion)) {
      ++next;
      return true;
    }
    if (!measure) return false;
    conversion.measures.push_back(std::move(*measure));
    ++next;
    const std::string word = call.plain(next);
    if (!range_text(word, false, nullptr) || next >= kMaxConversionArguments || !read_measure(call.plain(next + 1)))
      return true;
    conversion.between.push_back(word);
    ++next;
  }
}

struct KnownOption {
  std::string_view name;
  std::string_view values;  // between bars
};

// Values of options that are read. With another one the text is not known.
constexpr auto kOptions = std::to_array<KnownOption>({
    {"abbr", "|on|off|none|in|out|values|"},
    {"adj", "|on|off|mid|pre|1|"},
    {"sing", "|on|off|"},
    {"sp", "|us|uk|"},
    {"spell", "|us|in|In|on|On|"},
    {"disp", "|b|or|comma|,|/|s|slash|sqbr|out|output|output only|number|output number only|unit|flip|preunit|"},
    {"order", "|flip|"},
});

bool has_known_options(TemplateCall& call) {
  if (!call.has_only({"abbr", "adj", "sing", "sp", "spell", "disp", "order", "sigfig", "round", "frac", "lk"}))
    return false;
  return std::all_of(kOptions.begin(), kOptions.end(), [&](const KnownOption& option) {
    const std::string value = "|" + call.plain(option.name) + "|";
    return value == "||" || option.values.find(value) != std::string_view::npos;
  });
}

// False: an option is not known.
bool read_options(TemplateCall& call, Conversion& conversion) {
  if (!has_known_options(call)) return false;
  const std::string abbr = call.plain("abbr");
  const bool is_cvt = call.name() == "cvt";
  conversion.is_given_short = abbr == "on" || abbr == "in" || (is_cvt && abbr.empty());
  conversion.is_result_short = !(abbr == "off" || abbr == "none" || abbr == "in");
  conversion.has_no_units = abbr == "values";
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
  if (!conversion.digits && !call.plain("sigfig").empty()) return false;
  const std::string round = call.plain("round");
  const auto steps = read_measure(round);
  if (!round.empty() && !(steps && steps->value > 0)) return false;
  if (steps) conversion.steps = steps->value;
  conversion.fraction = whole_number(call.plain("frac"));
  const bool is_fraction = conversion.fraction && *conversion.fraction > 1 && *conversion.fraction < 100;
  if (!is_fraction && !call.plain("frac").empty()) return false;
  conversion.is_flipped = call.plain("order") == "flip" || disp == "flip";
  if (call.is_english()) return true;
  conversion.table = &call.table();
  conversion.is_adjective = conversion.is_given_spelled = conversion.is_result_spelled = conversion.is_capital = false;
  return adjective != "pre" && adjective != "mid" && disp != "preunit";
}

// 15.2 hands are 15 hands and 2 inches, of which four make a hand.
bool read_hands(Conversion& conversion) {
  for (Measure& measure : conversion.measures) {
    const double whole = std::floor(measure.value);
    const double inches = std::round((measure.value - whole) * 10);
    if (inches > 3 || measure.precision > 1) return false;
    measure.value = whole + inches / 4;
    measure.precision = 1;
  }
  return true;
}

// Units, targets and what follows them. False: an argument is not understood.
bool read_units(TemplateCall& call, std::size_t next, Conversion& conversion) {
  conversion.unit = find_scaled_unit(call.plain(next++));
  if (!conversion.unit) return false;
  while (next < kMaxConversionArguments) {
    auto measure = read_measure(call.plain(next));
    const Unit* unit = measure ? find_unit(call.plain(next + 1)) : nullptr;
    const Unit& larger = *conversion.unit->unit;
    if (unit == nullptr || unit->quantity != larger.quantity || unit->size >= larger.size) break;
    conversion.smaller.emplace_back(std::move(*measure), unit);
    next += 2;
  }
  if (call.count() > kMaxConversionArguments) return false;
  for (bool has_target = false; next <= call.count(); ++next) {
    const std::string text = call.plain(next);
    if (const auto places = whole_number(text); places && !conversion.places) {
      conversion.places = std::clamp(*places, -9, 9);
    } else if (!has_target && (text.empty() || text[0] != '-')) {
      conversion.targets = text;
      has_target = true;
    } else if (call.plain("adj") == "pre" && conversion.before.empty()) {
      conversion.before = conversion.before_result = text;
    } else if (call.plain("disp") == "preunit" && conversion.before_result.empty()) {
      if (!conversion.before.empty()) conversion.before_result = text;
      if (conversion.before.empty()) conversion.before = text;
    } else if (call.plain("adj") == "mid" && conversion.middle.empty()) {
      conversion.middle = text.starts_with('-') || text.empty() ? text : " " + text;
    } else if (!text.empty()) {
      return false;
    }
  }
  if (conversion.before_result.empty()) conversion.before_result = conversion.before;
  if (conversion.targets.empty()) conversion.targets = std::string(conversion.unit->unit->target);
  return conversion.unit->unit->code != "hand" || read_hands(conversion);
}

// Nothing when an argument, a unit or an option is not understood.
std::optional<Conversion> read_conversion(TemplateCall& call) {
  Conversion conversion;
  std::size_t next = 1;
  if (!read_numbers(call, next, conversion) || !read_options(call, conversion)) return std::nullopt;
  if (!read_units(call, next, conversion)) return std::nullopt;
  const bool is_temperature = conversion.unit->unit->quantity == "temperature";
  if (is_temperature && !call.has("abbr")) conversion.is_given_short = true;
  return conversion;
}

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
  return unit.unit->code.substr(0, unit.unit->quantity == "price" ? 1 : 0);
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
  const std::string_view quantity = conversion.unit->unit->quantity;
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
    const std::string result = target_text(take_part(rest, " +"), conversion, is_short, is_adjective);
    if (result.empty()) return {};
    append_part(result, "; ", text);
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

constexpr TemplateEntry kMeasureTemplates[] = {
    {"convert, cvt, conv, conversie, convertir, تحويل, converter, pretvori, convert-", write_conversion},
    {"pop density", write_population_density},
};

}  // namespace

std::span<const TemplateEntry> measure_templates() {
  return kMeasureTemplates;
}

}  // namespace bertprep::clean
