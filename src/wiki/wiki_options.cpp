#include "bertprep/wiki/wiki_options.h"

#include <array>

namespace bertprep {

std::span<const Field<WikiOptions>> WikiOptions::fields() {
  static const std::array<Field<WikiOptions>, 7> kFields{{
      {.name = "no-templates",
       .member = &WikiOptions::no_templates,
       .unit = "",
       .help = "mediawiki: drop templates instead of evaluating magic words and parser functions"},
      {.name = "templates",
       .member = &WikiOptions::templates,
       .unit = "file",
       .help = "mediawiki: expand templates by the definitions in this file, which is made from the dump if missing"},
      {.name = "clock",
       .member = &WikiOptions::clock,
       .unit = "time",
       .help = "mediawiki: the time that pages with a clock show, as 2020-07-22T12:00:00; else the dump's date"},
      {.name = "clean",
       .member = &WikiOptions::clean,
       .unit = "",
       .help = "mediawiki: repair what the reference loses or leaves behind"},
      {.name = "lists", .member = &WikiOptions::lists, .unit = "", .help = "with --clean: keep list items"},
      {.name = "headings", .member = &WikiOptions::headings, .unit = "", .help = "with --clean: keep headings"},
      {.name = "min-length",
       .member = &WikiOptions::min_length,
       .unit = "characters",
       .help = "with --clean: leave out shorter articles",
       .min = 0},
  }};
  return kFields;
}

void check(const WikiOptions& options) {
  validate(options);
  if (!options.clean && (options.lists || options.headings || options.min_length != 0)) {
    throw ConfigError("--lists, --headings and --min-length count with --clean only", {}, "add --clean");
  }
}

}  // namespace bertprep
