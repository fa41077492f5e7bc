#include "bertprep/wiki/wiki_options.h"

#include <chrono>

#include "base/fields.h"
#include "unicode/ascii.h"

namespace bertprep {

FieldList<WikiOptions> fields_of(const WikiOptions* /*options*/) {
  static const Field<WikiOptions> kFields[] = {
      {.name = "no-templates",
       .member = &WikiOptions::no_templates,
       .unit = "",
       .help = "mediawiki: drop templates instead of evaluating magic words and parser functions"},
      {.name = "templates",
       .member = &WikiOptions::templates,
       .unit = "file",
       .help = "mediawiki: expand templates with the definitions in this file, which is made from the dump if missing"},
      {.name = "clock",
       .member = &WikiOptions::clock,
       .unit = "time",
       .help = "mediawiki: the time shown by pages that print the current time, such as 2020-07-22T12:00:00 (default: "
               "the dump's date)"},
      {.name = "clean",
       .member = &WikiOptions::clean,
       .unit = "",
       .help = "mediawiki: extract cleaner text than the reference does"},
      {.name = "lists", .member = &WikiOptions::lists, .unit = "", .help = "with --clean: keep list items"},
      {.name = "headings", .member = &WikiOptions::headings, .unit = "", .help = "with --clean: keep headings"},
      {.name = "min-length",
       .member = &WikiOptions::min_length,
       .unit = "characters",
       .help = "with --clean: leave out shorter articles",
       .min = 0},
      {.name = "holes",
       .member = enum_member<&WikiOptions::holes>,
       .unit = "",
       .help = "with --clean: what to leave out where a template or formula is lost in the middle of a sentence",
       .choices = "sentence|paragraph|keep"},
      {.name = "report",
       .member = &WikiOptions::report,
       .unit = "file",
       .help = "with --clean: write which templates were dropped, with samples, to this JSON file",
       .in_recipe = false,
       .group = OptionGroup::kOutput},
  };
  return {kFields, OptionGroup::kText};
}

namespace {

// "2020-07-22T12:00:00", also with a final "Z", as in dumps.
bool is_time(std::string_view clock) {
  if (clock.ends_with('Z')) clock.remove_suffix(1);
  constexpr std::string_view kShape = "0000-00-00T00:00:00";
  if (clock.size() != kShape.size()) return false;
  for (std::size_t i = 0; i < kShape.size(); ++i) {
    if (kShape[i] == '0' ? !is_ascii_digit(clock[i]) : clock[i] != kShape[i]) return false;
  }
  const auto two = [&](std::size_t at) { return (clock[at] - '0') * 10 + clock[at + 1] - '0'; };
  const std::chrono::year_month_day day{std::chrono::year(two(0) * 100 + two(2)), std::chrono::month(unsigned(two(5))),
                                        std::chrono::day(unsigned(two(8)))};
  return day.ok() && two(11) < 24 && two(14) < 60 && two(17) < 61;
}

}  // namespace

void check(const WikiOptions& options) {
  validate(options);
  if (!options.clock.empty() && !is_time(options.clock)) {
    throw ConfigError("`clock` '" + options.clock + "' is not a valid time", {}, "write it like 2020-07-22T12:00:00");
  }
  const bool has_choice = options.lists || options.headings || options.min_length != 0;
  if (!options.clean && (has_choice || options.holes != HoleRule::kSentence)) {
    throw ConfigError("`lists`, `headings`, `min_length` and `holes` work only with `clean`", {}, "add `clean`");
  }
  if (!options.clean && !options.report.empty()) {
    throw ConfigError("`report` works only with `clean`", {}, "add `clean`");
  }
}

}  // namespace bertprep
