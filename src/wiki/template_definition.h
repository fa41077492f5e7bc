// From the page of a template to what a call of it expands to.
#pragma once

#include <string>
#include <string_view>

#include "wiki/word_characters.h"

namespace bertprep {

// `text` is the page's text as it stands in the XML. It is unescaped once, loses its comments and <noinclude> parts,
// and is cut down to its <onlyinclude> parts where it has some.
std::string template_definition(std::string_view text, const WordCharacters& words);

}  // namespace bertprep
