// The templates that stand in sentences, and what a reader sees of them. All others vanish.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "wiki/clean/call.h"
#include "wiki/clean/render.h"

namespace bertprep::clean {

// Appends to `out`. `detail` tells apart templates that one function writes.
using WriteTemplate = void (*)(TemplateCall& call, std::string_view detail, std::string& out);

struct TemplateEntry {
  std::string_view name;  // in its normal form (normal_name), or with capitals: then only written so
  WriteTemplate write;
  std::string_view detail = {};
  std::string_view ignored = {};  // arguments of which readers see nothing (TemplateCall::ignore)
  std::string_view wikis = {};    // languages of the wikis that have it, parted by blanks; empty: all
};

// By subject. Some names mean one thing in one language and another thing elsewhere; then the writer looks at
// TemplateCall::language().
std::span<const TemplateEntry> wrapper_templates();   // {{nowrap|text}}: an argument as it stands
std::span<const TemplateEntry> language_templates();  // lang, transl, IPA, nihongo
std::span<const TemplateEntry> phrase_templates();    // quotes, ships, links to other wikis
std::span<const TemplateEntry> citation_templates();  // references by author and year
std::span<const TemplateEntry> date_templates();      // days, centuries, "as of"
std::span<const TemplateEntry> people_templates();    // biographies, dates of the old style
std::span<const TemplateEntry> number_templates();    // val, frac, money, chemistry
std::span<const TemplateEntry> measure_templates();   // convert, cvt

// Whether the spans above have it; `name` in its normal form.
bool is_known_to_every_wiki(std::string_view name);

// {{...}} whose inside is `inside`.
void render_template(Renderer& renderer, Span inside, int depth, std::string& out);

// Parser functions and variables of MediaWiki that stand in articles.

// {{name:body}}. False: `name` is no function, and the whole may be a template's name. Functions that need what a dump
// does not hold give nothing.
bool render_function(Renderer& renderer, Span name, Span body, int depth, std::string& out);

// {{PAGENAME}}, {{CURRENTYEAR}}, ...; `name` is in small letters. False: no variable.
bool write_variable(const Renderer& renderer, std::string_view name, std::string& out);

}  // namespace bertprep::clean
