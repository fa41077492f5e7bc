// Parser functions and variables of MediaWiki that stand in articles.
#pragma once

#include <string>
#include <string_view>

#include "wiki/clean/render.h"

namespace bertprep::clean {

// {{name:body}}. False: `name` is no function, and the whole may be a template's name. Functions that need what a dump
// does not hold give nothing.
bool render_function(Renderer& renderer, Span name, Span body, int depth, std::string& out);

// {{PAGENAME}}, {{CURRENTYEAR}}, ...; `name` is in small letters. False: no variable.
bool write_variable(const Renderer& renderer, std::string_view name, std::string& out);

// 1234567 with the separators of the wiki's language: "1,234,567" in English; as it stands elsewhere.
std::string group_digits(std::string_view number, std::string_view language);

}  // namespace bertprep::clean
