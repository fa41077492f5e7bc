// Pages that are no articles: redirects and disambiguation pages, in many languages.
#pragma once

#include <span>
#include <string_view>

#include "wiki/clean/markup/marks.h"

namespace bertprep::clean {

// `#REDIRECT [[...]]` at the beginning, under any of its names.
bool is_redirect(std::string_view text);

// By a template, by __DISAMBIG__, or by the title. Lists of people with one name count, too.
bool is_disambiguation(std::string_view title, std::string_view text, std::span<const Mark> marks);

}  // namespace bertprep::clean
