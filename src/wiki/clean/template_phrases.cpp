#include <algorithm>
#include <array>

#include "wiki/clean/markup/chars.h"
#include "wiki/clean/templates.h"

namespace bertprep::clean {
namespace {

// A paragraph of its own: the text, its translation, and who said it where.
void append_quote(const std::string& text, const std::string& translation,
                  std::initializer_list<std::string_view> origins, std::string& out) {
  if (text.empty()) return;
  out.append(1, kBlockMark).append(text);
  if (!translation.empty()) out.append(1, kBlockMark).append(translation);
  bool is_first = true;
  for (const std::string_view origin : origins) {
    if (origin.empty()) continue;
    out.append(is_first ? " — " : ", ").append(origin);
    is_first = false;
  }
  out.push_back(kBlockMark);
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
  if (!label.empty()) {
    out.append(label);
  } else if (is_old) {
    out.append(call.any_of({"3", "2"}));
  } else {
    out.append(call.any_of({"1", "titre", "trad"}));
  }
}

// {{нп5|title|label|code|foreign title}}; elsewhere {{iw|title|code|foreign title}}
void write_labelled_link(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const bool has_code = is_language_code(call.at(2)) && !call.at(3).empty() && !is_language_code(call.at(3));
  if (has_code) {
    out.append(call.at(1));
    return;
  }
  out.append(call.any_of({"2", "текст", "1", "надо"}));
}

// {{sic|hte|expected=the}}: "hte [sic]"; {{sic|?|irrega|rdless}}: "irregardless [sic?]", a word in two parts that no
// spelling program finds.
void write_sic(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string sign = call.plain(1) == "?" || call.plain(1) == "!" ? call.plain(1) : std::string();
  const std::size_t first = sign.empty() ? 1 : 2;
  const std::string text = call.at(first) + call.at(first + 1);
  out.append(text);
  const std::string& hidden = call.any_of({"hide", "hidden"});
  if (hidden == "y" || hidden == "yes") return;
  out.append(text.empty() ? "" : " ").append("&#91;sic").append(sign).append("&#93;");
}

// {{typo|hte}}
void write_typo(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  out.append(call.at(1)).append(call.at(2));
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

// {{USS|Hornet|CV-12|6}}; `detail` is the prefix.
void write_ship(TemplateCall& call, std::string_view detail, std::string& out) {
  if (!call.at(1).empty()) append_ship(detail, call.at(1), call.at(2), call.at(3), out);
}

// {{ship|USS|Hornet|CV-12|6}}
void write_any_ship(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  if (!call.at(2).empty()) append_ship(call.at(1), call.at(2), call.at(3), call.at(4), out);
}

// {{sclass|Essex|aircraft carrier}}
void write_ship_class(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  if (call.at(1).empty()) return;
  out.append(call.at(1)).append(call.at(2).empty() ? " class" : "-class ").append(call.at(2));
}

// "c. 1900". `detail` may have a sign for languages other than English after a bar; without one, they have a word that
// is not known.
void write_after_word(TemplateCall& call, std::string_view detail, std::string& out) {
  const std::size_t bar = std::min(detail.find('|'), detail.size());
  const bool has_sign = bar < detail.size();
  if (!call.is_english() && !has_sign) return;
  out.append(has_sign && !call.is_english() ? detail.substr(bar + 1) : detail.substr(0, bar));
  if (!call.at(1).empty()) out.append(" ").append(call.at(1));
}

// {{circa|1250|1260}}: "c. 1250 – c. 1260"
void write_about(TemplateCall& call, std::string_view detail, std::string& out) {
  write_after_word(call, detail, out);
  if (!call.at(2).empty() && call.is_english()) out.append(" – ").append(detail).append(" ").append(call.at(2));
}

// {{reign|1558|1603}}: "r. 1558–1603"
void write_years_after_word(TemplateCall& call, std::string_view detail, std::string& out) {
  write_after_word(call, detail, out);
  if (!call.at(2).empty()) out.append("–").append(call.at(2));
}

// {{bandiera|Francia|nome}} shows the flag and, when asked to, the name; that of a code is not known.
void write_flag_name(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string country = call.plain(1);
  const bool is_code = country.size() == 3 && country.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == country.npos;
  if (call.at(2) == "nome" && !is_code) out.append(call.at(1));
}

// {{bracket|x}}: "[x]"
void write_in_brackets(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  if (!call.at(1).empty()) out.append("&#91;").append(call.at(1)).append("&#93;");
}

// {{BCE|563–483}}: "563–483 BCE"
void write_before_era(TemplateCall& call, std::string_view detail, std::string& out) {
  out.append(call.at(1)).append(call.at(1).empty() ? "" : " ").append(detail);
}

// {{music|flat}}
void write_music(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string kind = normal_name(call.at(1));
  if (kind == "flat" || kind == "b" || kind == "♭") {
    out.append("♭");
  } else if (kind == "sharp" || kind == "#" || kind == "♯") {
    out.append("♯");
  } else if (kind == "natural" || kind == "♮") {
    out.append("♮");
  } else if (kind == "time") {
    out.append(call.at(2)).append("/").append(call.at(3));
  } else if (is_ascii_digit(kind.empty() ? ' ' : kind[0])) {
    out.append(kind);
  }
}

constexpr std::array kPhraseTemplates = std::to_array<TemplateEntry>({
    {"quote", write_quote, {}, "multiline sprache umbruch lingua lingua2"},
    {"blockquote", write_quote, {}, "multiline sprache umbruch lingua lingua2"},
    {"bquote", write_quote, {}, "multiline sprache umbruch lingua lingua2"},
    {"quotation", write_quote, {}, "multiline sprache umbruch lingua lingua2"},
    {"long quotation", write_quote, {}, "multiline sprache umbruch lingua lingua2"},
    {"centered pull quote", write_quote, {}, "multiline sprache umbruch lingua lingua2"},
    {"block quote", write_quote, {}, "multiline sprache umbruch lingua lingua2"},
    {"block indent", write_quote, {}, "multiline sprache umbruch lingua lingua2"},
    {"blockindent", write_quote, {}, "multiline sprache umbruch lingua lingua2"},
    {"cquote", write_wide_quote, {}, "2 3"},
    {"zitat", write_quote, {}, "multiline sprache umbruch lingua lingua2"},
    {"zitat-", write_quote, {}, "multiline sprache umbruch lingua lingua2"},
    {"citation bloc", write_quote, {}, "multiline sprache umbruch lingua lingua2"},
    {"citazione", write_quote, {}, "multiline sprache umbruch lingua lingua2", "it"},
    {"ill", write_foreign_link, {}, "*"},
    {"interlanguage link", write_foreign_link, {}, "*"},
    {"ill2", write_foreign_link, {}, "*"},
    {"interlanguage link multi", write_foreign_link, {}, "*"},
    {"illm", write_foreign_link, {}, "*"},
    {"link-interwiki", write_foreign_link, {}, "*"},
    {"link-", write_foreign_link, {}, "*"},
    {"lien", write_foreign_link, {}, "*"},
    {"仮リンク", write_foreign_link, {}, "*"},
    {"нп", write_labelled_link, {}, "*"},
    {"нп2", write_labelled_link, {}, "*"},
    {"нп3", write_labelled_link, {}, "*"},
    {"нп4", write_labelled_link, {}, "*"},
    {"нп5", write_labelled_link, {}, "*"},
    {"не переведено", write_labelled_link, {}, "*"},
    {"не переведено 2", write_labelled_link, {}, "*"},
    {"не переведено 3", write_labelled_link, {}, "*"},
    {"не переведено 5", write_labelled_link, {}, "*"},
    {"iw", write_labelled_link, {}, "*"},
    {"iw2", write_labelled_link, {}, "*"},
    {"sic", write_sic, {}, "expected"},
    {"typo", write_typo},
    {"USS", write_ship, "USS", "1 2 3"},
    {"HMS", write_ship, "HMS", "1 2 3"},
    {"HMAS", write_ship, "HMAS", "1 2 3"},
    {"HMCS", write_ship, "HMCS", "1 2 3"},
    {"HMNZS", write_ship, "HMNZS", "1 2 3"},
    {"HNLMS", write_ship, "HNLMS", "1 2 3"},
    {"HNoMS", write_ship, "HNoMS", "1 2 3"},
    {"HDMS", write_ship, "HDMS", "1 2 3"},
    {"HSwMS", write_ship, "HSwMS", "1 2 3"},
    {"INS", write_ship, "INS", "1 2 3"},
    {"SMS", write_ship, "SMS", "1 2 3"},
    {"SS", write_ship, "SS", "1 2 3"},
    {"RMS", write_ship, "RMS", "1 2 3"},
    {"MV", write_ship, "MV", "1 2 3"},
    {"MS", write_ship, "MS", "1 2 3"},
    {"PS", write_ship, "PS", "1 2 3"},
    {"ORP", write_ship, "ORP", "1 2 3"},
    {"USNS", write_ship, "USNS", "1 2 3"},
    {"USAT", write_ship, "USAT", "1 2 3"},
    {"USCGC", write_ship, "USCGC", "1 2 3"},
    {"CSS", write_ship, "CSS", "1 2 3"},
    {"GS", write_ship, "", "1 2 3"},
    {"ship", write_any_ship, {}, "3 4"},
    {"sclass", write_ship_class, {}, {}, "en"},
    {"sclass-", write_ship_class, {}, {}, "en"},
    {"sclass2", write_ship_class, {}, {}, "en"},
    {"sclass2-", write_ship_class, {}, {}, "en"},
    {"circa", write_about, "c."},
    {"c.", write_about, "c."},
    {"ca", write_about, "c."},
    {"ca.", write_about, "c."},
    {"c", write_about, "c."},
    {"floruit", write_years_after_word, "fl."},
    {"fl", write_years_after_word, "fl."},
    {"fl.", write_years_after_word, "fl."},
    {"reign", write_years_after_word, "r."},
    {"r.", write_years_after_word, "r."},
    {"died-in", write_after_word, "d.|†"},
    {"born-in", write_after_word, "b.|*"},
    {"§", write_after_word, "§|§"},
    {"bandiera", write_flag_name, {}, {}, "it"},
    {"bracket", write_in_brackets},
    {"bce", write_before_era, "BCE"},
    {"music", write_music},
});

}  // namespace

std::span<const TemplateEntry> phrase_templates() {
  return kPhraseTemplates;
}

}  // namespace bertprep::clean
