#include <algorithm>
#include <array>

#include "wiki/clean/markup/chars.h"
#include "wiki/clean/templates.h"

namespace bertprep::clean {
namespace {

// {{quote|text|author|source}}: a paragraph of its own.
void write_quote(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string& text = call.any_of({"text", "quote", "1", "zitat", "texte", "testo"});
  if (text.empty()) return;
  out.append(1, kBlockMark).append(text);
  const std::string& translation = call.named("übersetzung");
  if (!translation.empty()) out.append(1, kBlockMark).append(translation);
  const std::string& author = call.any_of({"author", "sign", "2", "autor", "auteur"});
  const std::string& source = call.any_of({"source", "title", "3", "quelle"});
  if (!author.empty() || !source.empty()) out.append(" — ");
  out.append(author).append(!author.empty() && !source.empty() ? ", " : "").append(source).append(1, kBlockMark);
}

// {{cquote|text|size|size|author|source}}
void write_wide_quote(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string& text = call.any_of({"text", "quote", "quotetext", "1"});
  if (text.empty()) return;
  out.append(1, kBlockMark).append(text);
  const std::string& author = call.any_of({"author", "sign", "4"});
  const std::string& source = call.any_of({"source", "title", "5"});
  if (!author.empty() || !source.empty()) out.append(" — ");
  out.append(author).append(!author.empty() && !source.empty() ? ", " : "").append(source).append(1, kBlockMark);
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

// {{sclass|Essex|aircraft carrier}}; without an English word in other languages
void write_ship_class(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  if (call.at(1).empty()) return;
  if (!call.is_english()) {
    out.append(call.at(1)).append(call.at(2).empty() ? "" : " ").append(call.at(2));
    return;
  }
  out.append(call.at(1)).append(call.at(2).empty() ? " class" : "-class ").append(call.at(2));
}

// Prefix and text: "c. 1900". `detail` may have a sign for languages other than English behind a bar.
void write_after_word(TemplateCall& call, std::string_view detail, std::string& out) {
  const std::string& text = call.at(1);
  const std::size_t bar = std::min(detail.find('|'), detail.size());
  const bool has_sign = bar < detail.size() && !call.is_english();
  out.append(has_sign ? detail.substr(bar + 1) : detail.substr(0, bar));
  if (!text.empty()) out.append(" ").append(text);
  if (!call.at(2).empty()) out.append("–").append(call.at(2));
}

// {{bandiera|Francia|nome}} shows the flag and, when asked to, the name.
void write_flag_name(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  if (call.at(2) == "nome") out.append(call.at(1));
}

constexpr std::array kPhraseTemplates = std::to_array<TemplateEntry>({
    {"quote", write_quote},
    {"blockquote", write_quote},
    {"bquote", write_quote},
    {"quotation", write_quote},
    {"long quotation", write_quote},
    {"centered pull quote", write_quote},
    {"block quote", write_quote},
    {"block indent", write_quote},
    {"blockindent", write_quote},
    {"cquote", write_wide_quote},
    {"zitat", write_quote},
    {"zitat-", write_quote},
    {"citation bloc", write_quote},
    {"citazione", write_quote},
    {"ill", write_foreign_link},
    {"interlanguage link", write_foreign_link},
    {"ill2", write_foreign_link},
    {"interlanguage link multi", write_foreign_link},
    {"illm", write_foreign_link},
    {"link-interwiki", write_foreign_link},
    {"link-", write_foreign_link},
    {"lien", write_foreign_link},
    {"仮リンク", write_foreign_link},
    {"нп", write_labelled_link},
    {"нп2", write_labelled_link},
    {"нп3", write_labelled_link},
    {"нп4", write_labelled_link},
    {"нп5", write_labelled_link},
    {"не переведено", write_labelled_link},
    {"не переведено 2", write_labelled_link},
    {"не переведено 3", write_labelled_link},
    {"не переведено 5", write_labelled_link},
    {"iw", write_labelled_link},
    {"iw2", write_labelled_link},
    {"sic", write_sic},
    {"typo", write_typo},
    {"USS", write_ship, "USS"},
    {"HMS", write_ship, "HMS"},
    {"HMAS", write_ship, "HMAS"},
    {"HMCS", write_ship, "HMCS"},
    {"HMNZS", write_ship, "HMNZS"},
    {"HNLMS", write_ship, "HNLMS"},
    {"HNoMS", write_ship, "HNoMS"},
    {"HDMS", write_ship, "HDMS"},
    {"HSwMS", write_ship, "HSwMS"},
    {"INS", write_ship, "INS"},
    {"SMS", write_ship, "SMS"},
    {"SS", write_ship, "SS"},
    {"RMS", write_ship, "RMS"},
    {"MV", write_ship, "MV"},
    {"MS", write_ship, "MS"},
    {"PS", write_ship, "PS"},
    {"ORP", write_ship, "ORP"},
    {"USNS", write_ship, "USNS"},
    {"USAT", write_ship, "USAT"},
    {"USCGC", write_ship, "USCGC"},
    {"CSS", write_ship, "CSS"},
    {"GS", write_ship, ""},
    {"ship", write_any_ship},
    {"sclass", write_ship_class},
    {"sclass-", write_ship_class},
    {"sclass2", write_ship_class},
    {"sclass2-", write_ship_class},
    {"circa", write_after_word, "c."},
    {"c.", write_after_word, "c."},
    {"ca", write_after_word, "c."},
    {"ca.", write_after_word, "c."},
    {"c", write_after_word, "c."},
    {"floruit", write_after_word, "fl."},
    {"fl", write_after_word, "fl."},
    {"fl.", write_after_word, "fl."},
    {"reign", write_after_word, "r."},
    {"r.", write_after_word, "r."},
    {"died-in", write_after_word, "d.|†"},
    {"born-in", write_after_word, "b.|*"},
    {"§", write_after_word, "§"},
    {"bandiera", write_flag_name},
});

}  // namespace

std::span<const TemplateEntry> phrase_templates() {
  return kPhraseTemplates;
}

}  // namespace bertprep::clean
