#include <algorithm>
#include <array>

#include "wiki/clean/language_table.h"
#include "wiki/clean/markup/chars.h"
#include "wiki/clean/templates.h"

namespace bertprep::clean {
namespace {

// The first of the arguments that `detail` names ("text 1") that is given; `last` is the last unnamed one.
void write_argument(TemplateCall& call, std::string_view detail, std::string& out) {
  call.ignore(detail);
  while (!detail.empty()) {
    const std::size_t blank = std::min(detail.find(' '), detail.size());
    const std::string_view name = detail.substr(0, blank);
    const std::string& text = name == "last" ? call.last() : call.named(name);
    if (!text.empty()) {
      out.append(text);
      return;
    }
    detail.remove_prefix(std::min(blank + 1, detail.size()));
  }
}

void write_joined(TemplateCall& call, std::string_view between, std::string& out) {
  bool is_first = true;
  for (std::size_t number = 1; number <= call.count(); ++number) {
    const std::string& text = call.at(number);
    if (text.empty()) continue;
    if (!is_first) out.append(between);
    out.append(text);
    is_first = false;
  }
}

// `detail` is what stands around the first argument, its two parts parted by a blank.
void write_between(TemplateCall& call, std::string_view detail, std::string& out) {
  const std::string& text = call.at(1);
  const std::size_t blank = detail.find(' ');
  if (!text.empty()) out.append(detail.substr(0, blank)).append(text).append(detail.substr(blank + 1));
}

// {{flag|JPN}}, {{flagcountry|GBR|name=Britain}}: the country. A code that the language's table does not have is lost.
void write_country(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string& country = call.any_of({"name", "1"});
  auto known = call.table().find_written(page_name(country));
  const bool is_code = country.size() == 3 && country.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == country.npos;
  if (!known && !is_code) known = call.table().find(normal_name(country));
  const std::string_view name = known ? known->text : std::string_view();
  const bool is_name = !name.empty() && name.find_first_of("{[") == name.npos;
  if (is_name || !is_code) out.append(is_name ? name : std::string_view(country));
}

// Each item a line that begins like the line of a list, so that --lists decides.
void write_list(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  for (std::size_t number = 1; number <= call.count(); ++number) out.append("\n* ").append(call.at(number));
  out.push_back('\n');
}

// Italian {{cn|text}} and {{chiarire|text}} mark the text they hold; English ones hold a remark.
void write_marked_text(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  if (!call.is_english()) out.append(call.at(1));
}

// "BWV 1048"
void write_named_number(TemplateCall& call, std::string_view detail, std::string& out) {
  if (!call.at(1).empty()) out.append(detail).append(" ").append(call.at(1));
}

// "3rd"; in other languages "3."
void write_ordinal(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string number = call.plain(1);
  if (number.empty() || !is_ascii_digit(number.back())) return;
  if (!call.is_english()) {
    out.append(number).append(".");
    return;
  }
  const bool is_teen = number.size() > 1 && number[number.size() - 2] == '1';
  const char last = is_teen ? '0' : number.back();
  out.append(number).append(last == '1' ? "st" : last == '2' ? "nd" : last == '3' ? "rd" : "th");
}

// {{key press|Ctrl|C}}: "Ctrl+C"
void write_keys(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  write_joined(call, "+", out);
}

// {{radic|2}}: "√2"; {{radic|5|3}}: "∛5"
void write_root(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string index = call.plain(2);
  const std::string_view sign = index.empty() || index == "2" ? "√" : index == "3" ? "∛" : index == "4" ? "∜" : "";
  if (!sign.empty() && !call.at(1).empty()) out.append(sign).append(call.at(1));
}

// {{flagathlete|Usain Bolt|JAM}}: "Usain Bolt (JAM)"
void write_athlete(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  out.append(call.at(1));
  if (!call.at(1).empty() && !call.at(2).empty()) out.append(" (").append(call.at(2)).append(")");
}

// {{sortname|Jim|Bo|Jim Bo (actor)|Bo, James}}: "Jim Bo"
void write_sorted_name(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  out.append(call.at(1)).append(call.at(1).empty() || call.at(2).empty() ? "" : " ").append(call.at(2));
}

// {{bibleverse|1|Kings|2:3|KJV}}: "1 Kings 2:3"; the translation sets the link alone.
void write_bible_verse(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string& last = call.at(call.count());
  const bool has_translation =
      call.count() > 2 && last.size() > 1 && last.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == last.npos;
  const std::size_t count = call.count() - (has_translation ? 1 : 0);
  if (count > 3) return;
  std::string text;
  for (std::size_t number = 1; number <= count; ++number) {
    text.append(call.at(number).empty() || text.empty() ? "" : " ").append(call.at(number));
  }
  out.append(text);
}

constexpr auto kFirst = write_argument;

constexpr std::array kWrapperTemplates = std::to_array<TemplateEntry>({
    {"small", kFirst, "1"},
    {"smaller", kFirst, "1"},
    {"smalldiv", kFirst, "1"},
    {"big", kFirst, "1"},
    {"larger", kFirst, "1"},
    {"large", kFirst, "1"},
    {"resize", kFirst, "2 1", "1"},
    {"font size", kFirst, "2 1", "1"},
    {"nowrap", kFirst, "1"},
    {"nobr", kFirst, "1"},
    {"nowr", kFirst, "1"},
    {"nobreak", kFirst, "1"},
    {"j", kFirst, "1"},
    {"avoid wrap", kFirst, "1"},
    {"tutto attaccato", kFirst, "1", {}, "it"},
    {"ta", kFirst, "1", {}, "it"},
    {"sc", kFirst, "1"},
    {"sc1", kFirst, "1"},
    {"sc2", kFirst, "1"},
    {"smallcaps", kFirst, "1"},
    {"small caps", kFirst, "1"},
    {"smallcaps all", kFirst, "1"},
    {"aut", kFirst, "1"},
    {"maiuscoletto", kFirst, "1", {}, "it"},
    {"versaleta", kFirst, "1"},
    {"petites capitales", kFirst, "1"},
    {"kapitälchen", kFirst, "1"},
    {"mvar", kFirst, "1"},
    {"math", kFirst, "1"},
    {"bigmath", kFirst, "1"},
    {"var", kFirst, "1"},
    {"em", kFirst, "1"},
    {"strong", kFirst, "1"},
    {"kbd", kFirst, "1"},
    {"key", kFirst, "1"},
    {"keypress", write_keys},
    {"key press", write_keys},
    {"code", kFirst, "1", "2"},
    {"codes", kFirst, "1"},
    {"mono", kFirst, "1"},
    {"monospace", kFirst, "1"},
    {"tt", kFirst, "1"},
    {"samp", kFirst, "1"},
    {"unicode", kFirst, "1"},
    {"vanchor", kFirst, "text 1", "2 3 4 5 6"},
    {"visible anchor", kFirst, "text 1", "2 3 4 5 6"},
    {"abbr", kFirst, "1", "2 3"},
    {"abbrv", kFirst, "1", "2 3"},
    {"abbreviation", kFirst, "1", "2 3"},
    {"abbrlink", kFirst, "1", "2"},
    {"tooltip", kFirst, "1", "2 3"},
    {"h:title", kFirst, "2", "1"},
    {"hover title", kFirst, "2", "1"},
    {"nobold", kFirst, "1"},
    {"noitalic", kFirst, "1"},
    {"normal", kFirst, "1"},
    {"nocaps", kFirst, "1"},
    {"strikethrough", kFirst, "1"},
    {"strike", kFirst, "1"},
    {"underline", kFirst, "1"},
    {"u", kFirst, "1"},
    {"overline", kFirst, "1"},
    {"bold", kFirst, "1"},
    {"italic", kFirst, "1"},
    {"bi", kFirst, "1"},
    {"highlight", kFirst, "1"},
    {"center", kFirst, "1"},
    {"centre", kFirst, "1"},
    {"left", kFirst, "1"},
    {"right", kFirst, "1"},
    {"align", kFirst, "2", "1"},
    {"color", kFirst, "last", "1"},
    {"colour", kFirst, "last", "1"},
    {"colore", kFirst, "2", "1"},
    {"font color", kFirst, "text last", "1 2"},
    {"fontcolor", kFirst, "text last", "1 2"},
    {"fontcolour", kFirst, "text last", "1 2"},
    {"background color", kFirst, "2", "1"},
    {"font", kFirst, "text 1", "font css"},
    {"legend", kFirst, "2", "1 border outline"},
    {"legenda", kFirst, "2", "1 border outline"},
    {"legend inline", kFirst, "2", "1 border outline"},
    {"ruby", kFirst, "1", "2"},
    {"ruby-ja", kFirst, "1", "2"},
    {"not a typo", kFirst, "1"},
    {"as written", kFirst, "1"},
    {"proper name", kFirst, "1"},
    {"numero", kFirst, "1"},
    {"szám", kFirst, "1"},
    {"fmtn", kFirst, "1"},
    {"number", kFirst, "1"},
    {"bo", kFirst, "1"},
    {"lj", kFirst, "1"},
    {"vr", kFirst, "1"},
    {"mset", write_between, "&#123; &#125;"},
    {"abs", write_between, "&#124; &#124;"},
    {"sqrt", write_root},
    {"radic", write_root},
    {"vec", kFirst, "1"},
    {"citation needed span", kFirst, "text 1"},
    {"cn span", kFirst, "text 1"},
    {"cnspan", kFirst, "text 1"},
    {"fact span", kFirst, "text 1"},
    {"clarify span", kFirst, "text 1"},
    {"refnec", kFirst, "1", {}, "it fr"},
    {"référence nécessaire", kFirst, "1"},
    {"citazione necessaria", kFirst, "1", {}, "it"},
    {"senza fonte", kFirst, "1", {}, "it"},
    {"chiarire", kFirst, "1", "2"},
    {"cn", write_marked_text},
    {"comment", kFirst, "1"},
    {"iast", kFirst, "1"},
    {"nastaliq", kFirst, "1"},
    {"nq", kFirst, "1"},
    {"tq", kFirst, "1"},
    {"xt", kFirst, "1"},
    {"keep together", kFirst, "1"},
    {"plainlist", kFirst, "1", "indent"},
    {"plain list", kFirst, "1"},
    {"flatlist", kFirst, "1", "indent"},
    {"columns-list", kFirst, "last", "1 colwidth"},
    {"hlist", write_joined, ", ", "indent list_style item_style"},
    {"cslist", write_joined, ", ", "indent list_style item_style"},
    {"enum", write_joined, ", ", "indent list_style item_style"},
    {"gaps", write_joined, ""},
    {"linktext", kFirst, "1"},
    {"bulleted list", write_list, {}, "indent list_style item_style"},
    {"blist", write_list, {}, "indent list_style item_style"},
    {"unbulleted list", write_list, {}, "indent list_style item_style"},
    {"ubl", write_list, {}, "indent list_style item_style"},
    {"ublist", write_list, {}, "indent list_style item_style"},
    {"ordered list", write_list, {}, "start type indent list_style item_style"},
    {"sup", write_between, "\x05 "},
    {"sub", kFirst, "1"},
    {"smallsup", write_between, "\x05 "},
    {"\"", write_between, "\" \""},
    {"audio", kFirst, "2", "1 3 help"},
    {"audio-nohelp", kFirst, "2", "1"},
    {"audio-ipa", kFirst, "2", "1"},
    {"link audio", kFirst, "2", "1"},
    {"audio-de", kFirst, "1", "2"},
    {"flag", write_country, {}, "2 variant"},
    {"flagu", write_country, {}, "2 variant"},
    {"flagcountry", write_country, {}, "2 variant"},
    {"flaglink", write_country, {}, "2 variant"},
    {"flagathlete", write_athlete},
    {"sort", kFirst, "2 1", "1"},
    {"sortname", write_sorted_name, {}, "3 4 dab sort"},
    {"bibleverse", write_bible_verse},
    {"bibleref", write_bible_verse},
    {"bibleref2", write_bible_verse},
    {"bibleref2c", kFirst, "2", "1"},
    {"passo biblico", write_joined, " ", {}, "it"},
    {"bwv", write_named_number, "BWV"},
    {"ordinal", write_ordinal, {}, "sup"},
    {"lk", kFirst, "1"},
    {"section link", kFirst, "1"},
    {"glossary link", kFirst, "2 1", "1 glossary"},
    {"nihongo foot", kFirst, "1", "2 3 4 5"},
    {"lower", kFirst, "1"},
    {"sperrsatz", kFirst, "1"},
    {"nihongo2", kFirst, "1"},
    {"kanji", kFirst, "1"},
    {"poem", kFirst, "1"},
    {"poemquote", kFirst, "text 1"},
    {"poem quote", kFirst, "text 1"},
});

}  // namespace

std::span<const TemplateEntry> wrapper_templates() {
  return kWrapperTemplates;
}

}  // namespace bertprep::clean
