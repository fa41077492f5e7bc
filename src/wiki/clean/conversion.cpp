#include "wiki/clean/conversion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "wiki/clean/digits.h"
#include "wiki/clean/markup/chars.h"
#include "wiki/clean/ranges.h"

namespace bertprep::clean {
namespace {

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

}  // namespace

std::optional<Conversion> read_conversion(TemplateCall& call) {
  Conversion conversion;
  std::size_t next = 1;
  if (!read_numbers(call, next, conversion) || !read_options(call, conversion)) return std::nullopt;
  if (!read_units(call, next, conversion)) return std::nullopt;
  const bool is_temperature = conversion.unit->unit->quantity == Quantity::kTemperature;
  if (is_temperature && !call.has("abbr")) conversion.is_given_short = true;
  return conversion;
}

}  // namespace bertprep::clean
