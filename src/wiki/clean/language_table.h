// The templates of one language's Wikipedia, as languages/*.txt describe them (docs/formats/clean-text.md).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "wiki/clean/templates.h"

namespace bertprep::clean {

// The files: the language and its text.
std::span<const std::pair<std::string_view, std::string_view>> language_files();

struct Description {
  std::string_view text;    // "{1} h[ {2}]"; empty: the template shows nothing
  std::string_view months;  // for {#2}, parted by blanks
};

// Nothing when the table of `language` does not have the template, or there is no table.
std::optional<Description> find_description(std::string_view language, std::string_view name);

// Appends what a reader sees of the call: nothing when it lacks an argument that is not optional.
void write_description(TemplateCall& call, const Description& description, std::string& out);

}  // namespace bertprep::clean
