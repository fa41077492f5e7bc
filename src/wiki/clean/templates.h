// The templates that stand in sentences, and what a reader sees of them. All others vanish.
#pragma once

#include "wiki/clean/call.h"

namespace bertprep::clean {

// Appends to `out`. `detail` tells apart templates that one function writes; where the row has none, it is the name.
using WriteTemplate = void (*)(TemplateCall& call, std::string_view detail, std::string& out);

struct TemplateEntry {
  std::string_view names;  // "a, b", each in its normal form (normal_name), or with capitals: then only written so
  WriteTemplate write;
  std::string_view detail = {};
  std::string_view ignored = {};  // arguments of which readers see nothing (TemplateCall::ignore)
  std::string_view wikis = {};    // languages of the wikis that have it, parted by blanks; empty: all
};

// By subject: those that no description can say. Some names mean one thing in one language and another thing elsewhere;
// then the writer looks at TemplateCall::language().
std::span<const TemplateEntry> phrase_templates();    // quotes, ships, links to other wikis, references by author
std::span<const TemplateEntry> language_templates();  // transl, IPA, nihongo
std::span<const TemplateEntry> date_templates();      // days, centuries, ages, biographies
std::span<const TemplateEntry> number_templates();    // val, frac, chemistry
std::span<const TemplateEntry> measure_templates();   // convert, cvt

// All of these, each by its one name as page_name() gives it.
const std::map<std::string, TemplateEntry, std::less<>>& template_entries();

// {{...}} whose inside is `inside`.
void render_template(Renderer& renderer, Span inside, int depth, std::string& out);

}  // namespace bertprep::clean
