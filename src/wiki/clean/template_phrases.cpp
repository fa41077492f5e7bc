
#include <algorithm>

#include "wiki/clean/markup/chars.h"
#include "wiki/clean/templates.h"

namespace bertprep::clean {
namespace {

// The first of the arguments that `detail` names ("text 1") that is given; `last` is the last unnamed one.
void write_argument(TemplateCall& call, std::string_view detail, std::string& out) {
  call.ignore(detail);
  std::string text;
  for_each_item(detail, " ", [&](std::string_view name) {
    if (text.empty()) text = name == "last" ? call.last() : call.named(name);
  });
  out.append(text);
}

void write_joined(TemplateCall& call, std::string_view between, std::string& out) {
  std::string text;
  for (std::size_t number = 1; number <= call.count(); ++number) append_part(call.at(number), between, text);
  out.append(text);
}

bool has_only_capitals(std::string_view text) {
  return std::all_of(text.begin(), text.end(), is_ascii_upper);
}

// {{flag|JPN}}, {{flagcountry|GBR|name=Britain}}: the country. A code that the language's table does not have is lost.
void write_country(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string& country = call.any_of({"name", "1"});
  auto known = call.table().find_written(page_name(country));
  const bool is_code = country.size() == 3 && has_only_capitals(country);
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

// "3rd"; in other languages "3."
void write_ordinal(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string number = call.plain(1);
  if (number.empty() || !is_ascii_digit(number.back())) return;
  const bool is_teen = number.size() > 1 && number[number.size() - 2] == '1';
  const char last = is_teen ? '0' : number.back();
  const std::string_view english = last == '1' ? "st" : last == '2' ? "nd" : last == '3' ? "rd" : "th";
  out.append(number).append(call.is_english() ? english : ".");
}

// {{radic|2}}: "√2"; {{radic|5|3}}: "∛5"
void write_root(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string index = call.plain(2);
  const std::string_view sign = index.empty() || index == "2" ? "√" : index == "3" ? "∛" : index == "4" ? "∜" : "";
  if (!sign.empty() && !call.at(1).empty()) out.append(sign).append(call.at(1));
}

// {{bibleverse|1|Kings|2:3|KJV}}: "1 Kings 2:3"; the translation sets the link alone.
void write_bible_verse(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string& last = call.at(call.count());
  const bool has_translation = call.count() > 2 && last.size() > 1 && has_only_capitals(last);
  const std::size_t count = call.count() - (has_translation ? 1 : 0);
  if (count > 3) return;
  std::string text;
  for (std::size_t number = 1; number <= count; ++number) append_part(call.at(number), " ", text);
  out.append(text);
}

// A paragraph of its own: the text, its translation, and who said it where.
void append_quote(const std::string& text, const std::string& translation,
                  std::initializer_list<std::string_view> origins, std::string& out) {
  if (text.empty()) return;
  out.append(1, kBlockMark).append(text);
  if (!translation.empty()) out.append(1, kBlockMark).append(translation);
  std::string listed;
  for (const std::string_view origin : origins) append_part(origin, ", ", listed);
  out.append(listed.empty() ? "" : " — ").append(listed).push_back(kBlockMark);
}

// {{quote|text|author|title|source}}
void write_quote(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  append_quote(call.any_of({"text", "quote", "1", "zitat", "texte", "testo"}), call.named("übersetzung"),
               {call.any_of({"author", "sign", "2", "autor", "auteur"}), call.any_of({"title", "3"}),
                call.any_of({"source", "4", "quelle"})},
               out);
}

// {{cquote|text|size|size|author|source}}
void write_wide_quote(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  append_quote(call.any_of({"text", "quote", "quotetext", "1"}), {},
               {call.any_of({"author", "sign", "4"}), call.named("title"), call.any_of({"source", "5"})}, out);
}

// "en", "zh-yue"
bool is_language_code(std::string_view text) {
  const std::string_view head = text.substr(0, text.find('-'));
  return (head.size() == 2 || head.size() == 3) &&
         std::all_of(head.begin(), head.end(), [](char byte) { return byte >= 'a' && byte <= 'z'; });
}

// {{ill|Title|de|Titel|lt=label}}; in the old order {{ill|de|Titel|label}}
void write_foreign_link(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const bool is_old = is_language_code(call.at(1)) && !call.at(2).empty() && !is_language_code(call.at(2));
  const std::string& label = call.any_of({"lt", "label", "trad-label", "texte", "fr", "display"});
  out.append(!label.empty() ? label : is_old ? call.any_of({"3", "2"}) : call.any_of({"1", "titre", "trad"}));
}

// {{нп5|title|label|code|foreign title}}; elsewhere {{iw|title|code|foreign title}}
void write_labelled_link(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const bool has_code = is_language_code(call.at(2)) && !call.at(3).empty() && !is_language_code(call.at(3));
  out.append(has_code ? call.at(1) : call.any_of({"2", "текст", "1", "надо"}));
}

// {{sic|hte|expected=the}}: "hte [sic]"; {{sic|?|irrega|rdless}}: "irregardless [sic?]", a word in two parts that no
// spelling program finds.
void write_sic(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string sign = call.plain(1) == "?" || call.plain(1) == "!" ? call.plain(1) : std::string();
  const std::size_t first = sign.empty() ? 1 : 2;
  const std::string text = call.at(first) + call.at(first + 1);
  out.append(text);
  if (has_word("y yes", call.any_of({"hide", "hidden"}))) return;
  out.append(text.empty() ? "" : " ").append("&#91;sic").append(sign).append("&#93;");
}

void append_ship(std::string_view prefix, std::string_view name, std::string_view number, std::string_view form,
                 std::string& out) {
  if (form.size() > 1 || std::string_view("01236").find(form) == std::string_view::npos) return;
  if (form == "1") {
    out.append(number.empty() ? name : number);
    return;
  }
  const bool has_prefix = !prefix.empty() && form != "3" && form != "6";
  out.append(has_prefix ? prefix : "").append(has_prefix ? " " : "").append(name);
  if (!number.empty() && (form.empty() || form == "3" || form == "0")) out.append(" (").append(number).append(")");
}

// {{USS|Hornet|CV-12|6}}; `detail` is the prefix, "-" none.
void write_ship(TemplateCall& call, std::string_view detail, std::string& out) {
  if (!call.at(1).empty()) append_ship(detail == "-" ? "" : detail, call.at(1), call.at(2), call.at(3), out);
}

// {{ship|USS|Hornet|CV-12|6}}
void write_any_ship(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  if (!call.at(2).empty()) append_ship(call.at(1), call.at(2), call.at(3), call.at(4), out);
}

// {{bandiera|Francia|nome}} shows the flag and, when asked to, the name; that of a code is not known.
void write_flag_name(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string country = call.plain(1);
  const bool is_code = country.size() == 3 && has_only_capitals(country);
  if (call.at(2) == "nome" && !is_code) out.append(call.at(1));
}

// {{music|flat}}
void write_music(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string kind = normal_name(call.at(1));
  if (has_word("flat b ♭", kind)) {
    out.append("♭");
  } else if (has_word("sharp # ♯", kind)) {
    out.append("♯");
  } else if (has_word("natural ♮", kind)) {
    out.append("♮");
  } else if (kind == "time") {
    out.append(call.at(2)).append("/").append(call.at(3));
  } else if (is_ascii_digit(kind.empty() ? ' ' : kind[0])) {
    out.append(kind);
  }
}

// References within a text, by author and year.

constexpr std::size_t kMostNames = 4;

// "Smith", "Smith & Jones", "Smith, Jones & Brown"; of four the first: "Smith et al."
std::string listed_names(TemplateCall& call, std::size_t count, std::string_view last) {
  std::string text = call.at(1);
  if (count == kMostNames) return text.append(" et al.");
  for (std::size_t number = 2; number <= count; ++number) {
    text.append(number == count ? last : std::string_view(", ")).append(call.at(number));
  }
  return text;
}

// ", p. 5, loc"; with `colon` ":5, loc".
std::string place_within(TemplateCall& call, bool colon) {
  const std::string& page = call.any_of({"p", "page"});
  const std::string& pages = call.any_of({"pp", "pages"});
  const std::string& place = call.any_of({"loc", "at"});
  std::string text = page.empty() ? pages : page;
  if (!text.empty()) text.insert(0, colon ? ":" : page.empty() ? ", pp. " : ", p. ");
  if (!place.empty()) text.append(", ").append(place);
  return text;
}

// {{harvtxt|Smith|Jones|2010|p=3}}: "Smith & Jones (2010, p. 3)". `detail` says where the brackets stand: "(" around
// all, "t" around year and page, "p" around the year, "n" nowhere; a ":" stands before the page. Other wikis write
// these in other ways.
void write_citation_text(TemplateCall& call, std::string_view detail, std::string& out) {
  if (call.count() < 2 || call.count() > kMostNames + 1) return;
  for (std::size_t number = 1; number <= call.count(); ++number) {
    if (call.at(number).empty()) return;
  }
  const std::size_t names = call.count() - 1;
  const bool is_french = call.language() == "fr";
  if (is_french && names > 2) return;
  const char form = detail.front();
  const std::string place = place_within(call, detail.ends_with(':'));
  out.append(form == '(' ? "(" : "").append(listed_names(call, names, is_french ? " et " : " & "));
  out.append(form == 't' || form == 'p' ? " (" : " ").append(call.at(call.count()));
  if (form == 'p') out.push_back(')');
  out.append(place);
  if (form == '(' || form == 't') out.push_back(')');
  out.append(call.any_of({"ps", "postscript"}) == "none" ? std::string() : call.any_of({"ps", "postscript"}));
}

// {{harvs|txt|last=Smith|year=2001}}: "Smith (2001)"; with "nb" "Smith 2001", else "(Smith 2001)".
void write_citation_by_names(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string form = call.plain(1);
  const std::string& year = call.named("year");
  std::string names = form == "txt" ? call.named("first") : std::string();
  names.append(names.empty() ? "" : " ").append(call.any_of({"last", "last1"}));
  if (!call.named("last2").empty()) names.append(" & ").append(call.named("last2"));
  const bool is_known = (form.empty() || form == "txt" || form == "nb");
  if (!is_known || call.any_of({"last", "last1"}).empty() || year.empty()) return;
  out.append(form.empty() ? "(" : "").append(names).append(form == "txt" ? " (" : " ").append(year);
  out.append(place_within(call, false)).append(form == "nb" ? "" : ")");
}

constexpr TemplateEntry kPhraseTemplates[] = {
    {"keypress, key press", write_joined, "+"},
    {"color, colour", write_argument, "last", "1"},
    {"font color, fontcolor, fontcolour", write_argument, "text last", "1 2"},
    {"sqrt, radic", write_root},
    {"columns-list", write_argument, "last", "1 colwidth"},
    {"hlist, cslist, enum", write_joined, ", ", "indent list_style item_style"},
    {"bulleted list, blist, unbulleted list, ubl, ublist", write_list, {}, "indent list_style item_style"},
    {"ordered list", write_list, {}, "start type indent list_style item_style"},
    {"flag, flagu, flagcountry, flaglink", write_country, {}, "2 variant"},
    {"bibleverse, bibleref, bibleref2", write_bible_verse},
    {"passo biblico", write_joined, " ", {}, "it"},
    {"ordinal", write_ordinal, {}, "sup"},
    {"w języku, vjazyce2, v jazyku, transl, transliteration, xlit, tlit, translit, script", write_argument, "last",
     "1 2"},
    {"quote, blockquote, bquote, quotation, long quotation, centered pull quote, block quote, block indent, "
     "blockindent, zitat, zitat-, citation bloc",
     write_quote,
     {},
     "multiline sprache umbruch lingua lingua2"},
    {"cquote", write_wide_quote, {}, "2 3"},
    {"citazione", write_quote, {}, "multiline sprache umbruch lingua lingua2", "it"},
    {"ill, interlanguage link, ill2, interlanguage link multi, illm, link-interwiki, link-, lien, 仮リンク",
     write_foreign_link,
     {},
     "*"},
    {"нп, нп2, нп3, нп4, нп5, не переведено, не переведено 2, не переведено 3, не переведено 5, iw, iw2",
     write_labelled_link,
     {},
     "*"},
    {"sic", write_sic, {}, "expected"},
    {"USS, HMS, HMAS, HMCS, HMNZS, HNLMS, HNoMS, HDMS, HSwMS, INS, SMS, SS, RMS, MV, MS, PS, ORP, USNS, USAT, USCGC, "
     "CSS",
     write_ship,
     {},
     "1 2 3"},
    {"GS", write_ship, "-", "1 2 3"},
    {"ship", write_any_ship, {}, "3 4"},
    {"bandiera", write_flag_name, {}, {}, "it"},
    {"music", write_music},
    {"harv, harvard citation", write_citation_text, "(", "2 3 4", "en ja fr"},
    {"harvcol", write_citation_text, "(:", "2 3 4", "en ja fr"},
    {"harvtxt, harvard citation text", write_citation_text, "t", "2 3 4", "en ja fr"},
    {"harvcoltxt", write_citation_text, "t:", "2 3 4", "en ja fr"},
    {"harvp", write_citation_text, "p", "2 3 4", "en ja fr"},
    {"harvs", write_citation_by_names, {}, {}, "en"},
    {"harvnb, harvard citation no brackets", write_citation_text, "n", "2 3 4", "en ja fr"},
    {"harvcolnb", write_citation_text, "n:", "2 3 4", "en ja fr"},
};

}  // namespace

std::span<const TemplateEntry> phrase_templates() {
  return kPhraseTemplates;
}

}  // namespace bertprep::clean
