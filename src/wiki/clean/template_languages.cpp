#include <algorithm>
#include <array>
#include <utility>

#include "wiki/clean/language_table.h"
#include "wiki/clean/markup/chars.h"
#include "wiki/clean/templates.h"

namespace bertprep::clean {
namespace {

using LanguageName = std::pair<std::string_view, std::string_view>;

// clang-format off
constexpr std::array kLanguageNames = std::to_array<LanguageName>({
    {"ab", "Abkhaz"}, {"af", "Afrikaans"}, {"akk", "Akkadian"}, {"am", "Amharic"}, {"an", "Aragonese"},
    {"ang", "Old English"}, {"ar", "Arabic"}, {"arc", "Aramaic"}, {"ary", "Moroccan Arabic"},
    {"arz", "Egyptian Arabic"}, {"as", "Assamese"}, {"ast", "Asturian"}, {"av", "Avar"}, {"ay", "Aymara"},
    {"az", "Azerbaijani"}, {"ba", "Bashkir"}, {"ban", "Balinese"}, {"be", "Belarusian"}, {"ber", "Berber"},
    {"bg", "Bulgarian"}, {"bn", "Bengali"}, {"bo", "Tibetan"}, {"br", "Breton"}, {"bs", "Bosnian"}, {"ca", "Catalan"},
    {"ce", "Chechen"}, {"ceb", "Cebuano"}, {"ch", "Chamorro"}, {"chr", "Cherokee"}, {"ckb", "Sorani Kurdish"},
    {"co", "Corsican"}, {"cop", "Coptic"}, {"cr", "Cree"}, {"crh", "Crimean Tatar"}, {"cs", "Czech"},
    {"cu", "Church Slavonic"}, {"cv", "Chuvash"}, {"cy", "Welsh"}, {"da", "Danish"}, {"de", "German"},
    {"dsb", "Lower Sorbian"}, {"dv", "Dhivehi"}, {"dz", "Dzongkha"}, {"el", "Greek"}, {"en", "English"},
    {"enm", "Middle English"}, {"eo", "Esperanto"}, {"es", "Spanish"}, {"et", "Estonian"}, {"eu", "Basque"},
    {"fa", "Persian"}, {"fi", "Finnish"}, {"fil", "Filipino"}, {"fj", "Fijian"}, {"fo", "Faroese"}, {"fr", "French"},
    {"fro", "Old French"}, {"frr", "North Frisian"}, {"fur", "Friulian"}, {"fy", "West Frisian"}, {"ga", "Irish"},
    {"gd", "Scottish Gaelic"}, {"gez", "Ge'ez"}, {"gl", "Galician"}, {"gn", "Guarani"}, {"goh", "Old High German"},
    {"got", "Gothic"}, {"grc", "Ancient Greek"}, {"gsw", "Swiss German"}, {"gu", "Gujarati"}, {"gv", "Manx"},
    {"ha", "Hausa"}, {"haw", "Hawaiian"}, {"he", "Hebrew"}, {"hi", "Hindi"}, {"hr", "Croatian"},
    {"hsb", "Upper Sorbian"}, {"ht", "Haitian Creole"}, {"hu", "Hungarian"}, {"hy", "Armenian"},
    {"ia", "Interlingua"}, {"id", "Indonesian"}, {"ig", "Igbo"}, {"io", "Ido"}, {"is", "Icelandic"},
    {"it", "Italian"}, {"iu", "Inuktitut"}, {"ja", "Japanese"}, {"jv", "Javanese"}, {"ka", "Georgian"},
    {"kk", "Kazakh"}, {"kl", "Greenlandic"}, {"km", "Khmer"}, {"kn", "Kannada"}, {"ko", "Korean"}, {"ku", "Kurdish"},
    {"kw", "Cornish"}, {"ky", "Kyrgyz"}, {"la", "Latin"}, {"lb", "Luxembourgish"}, {"li", "Limburgish"},
    {"lij", "Ligurian"}, {"lmo", "Lombard"}, {"lo", "Lao"}, {"lt", "Lithuanian"}, {"ltg", "Latgalian"},
    {"lv", "Latvian"}, {"mg", "Malagasy"}, {"mi", "Māori"}, {"mk", "Macedonian"}, {"ml", "Malayalam"},
    {"mn", "Mongolian"}, {"mr", "Marathi"}, {"ms", "Malay"}, {"mt", "Maltese"}, {"my", "Burmese"}, {"nah", "Nahuatl"},
    {"nap", "Neapolitan"}, {"nb", "Norwegian Bokmål"}, {"nds", "Low German"}, {"ne", "Nepali"}, {"nl", "Dutch"},
    {"nn", "Norwegian Nynorsk"}, {"no", "Norwegian"}, {"non", "Old Norse"}, {"nv", "Navajo"}, {"oc", "Occitan"},
    {"odt", "Old Dutch"}, {"om", "Oromo"}, {"or", "Odia"}, {"os", "Ossetian"}, {"ota", "Ottoman Turkish"},
    {"pa", "Punjabi"}, {"pap", "Papiamento"}, {"peo", "Old Persian"}, {"pi", "Pali"}, {"pl", "Polish"},
    {"pms", "Piedmontese"}, {"pnb", "Western Punjabi"}, {"ps", "Pashto"}, {"pt", "Portuguese"}, {"qu", "Quechua"},
    {"rm", "Romansh"}, {"ro", "Romanian"}, {"rom", "Romani"}, {"ru", "Russian"}, {"rue", "Rusyn"}, {"rus", "Russian"},
    {"rw", "Kinyarwanda"}, {"sa", "Sanskrit"}, {"sah", "Yakut"}, {"sc", "Sardinian"}, {"scn", "Sicilian"},
    {"sco", "Scots"}, {"sd", "Sindhi"}, {"se", "Northern Sami"}, {"sh", "Serbo-Croatian"}, {"si", "Sinhala"},
    {"sk", "Slovak"}, {"sl", "Slovene"}, {"sm", "Samoan"}, {"sn", "Shona"}, {"so", "Somali"}, {"sq", "Albanian"},
    {"sr", "Serbian"}, {"st", "Sotho"}, {"su", "Sundanese"}, {"sv", "Swedish"}, {"sw", "Swahili"}, {"syc", "Syriac"},
    {"syr", "Syriac"}, {"szl", "Silesian"}, {"ta", "Tamil"}, {"te", "Telugu"}, {"tet", "Tetum"}, {"tg", "Tajik"},
    {"th", "Thai"}, {"ti", "Tigrinya"}, {"tk", "Turkmen"}, {"tl", "Tagalog"}, {"to", "Tongan"}, {"tr", "Turkish"},
    {"tt", "Tatar"}, {"ty", "Tahitian"}, {"ug", "Uyghur"}, {"uk", "Ukrainian"}, {"ur", "Urdu"}, {"uz", "Uzbek"},
    {"vec", "Venetian"}, {"vi", "Vietnamese"}, {"wa", "Walloon"}, {"wo", "Wolof"}, {"xal", "Kalmyk"},
    {"xcl", "Classical Armenian"}, {"xh", "Xhosa"}, {"yi", "Yiddish"}, {"yo", "Yoruba"}, {"yua", "Yucatec Maya"},
    {"yue", "Cantonese"}, {"zh", "Chinese"}, {"zu", "Zulu"},
});
// clang-format on

static_assert(std::is_sorted(kLanguageNames.begin(), kLanguageNames.end()));

// The English name of a language, for "German: Berlin" of {{lang-de|Berlin}}; empty for an unknown code. "de", "grc",
// "zh-hant" (of which "zh" counts).
std::string_view language_name(std::string_view code) {
  const auto find = [](std::string_view wanted) {
    const auto found =
        std::lower_bound(kLanguageNames.begin(), kLanguageNames.end(), wanted,
                         [](const LanguageName& entry, std::string_view name) { return entry.first < name; });
    return found != kLanguageNames.end() && found->first == wanted ? found->second : std::string_view();
  };
  const std::string_view name = find(code);
  return name.empty() && code.find('-') != std::string_view::npos ? find(code.substr(0, code.find('-'))) : name;
}

// "de", "grc", "zh-hant"
bool is_code(std::string_view text) {
  const std::string_view head = text.substr(0, text.find('-'));
  const bool is_short = head.size() == 2 || head.size() == 3;
  return is_short && text.size() <= 12 && std::all_of(text.begin(), text.end(), [](char byte) {
           return (byte >= 'a' && byte <= 'z') || byte == '-' || is_ascii_digit(byte);
         });
}

// "a, b, c" of those that have a text.
void append_listed(std::initializer_list<std::string_view> texts, std::string& out) {
  bool is_first = true;
  for (const std::string_view text : texts) {
    if (text.empty()) continue;
    if (!is_first) out.append(", ");
    out.append(text);
    is_first = false;
  }
}

// {{lang|fr|text}}
void write_lang(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  out.append(call.any_of({"2", "text", "texte", "texto", "testo"}));
}

// "German: Berlin", "en anglais : Berlin"; `label` is an argument that may be "none".
void append_named(TemplateCall& call, std::string_view code, const std::string& text, std::string& out) {
  if (text.empty()) return;
  const bool has_label = call.named("label") != "none" && call.named("links") != "none";
  if (!has_label) {
    out.append(text);
  } else if (call.is_english()) {
    const std::string_view name = language_name(code);
    if (!name.empty()) out.append(name).append(": ");
    out.append(text);
  } else {
    out.append(call.table().named_language(code, text));
  }
}

bool is_latin(const std::string& text) {
  constexpr char kBeyondLatin = '\xCD';  // leads Greek and what follows it
  return text.empty() || is_ascii(text[0]) ||
         static_cast<unsigned char>(text[0]) < static_cast<unsigned char>(kBeyondLatin);
}

// Unless an editor typed brackets, in it or around it.
void append_in_brackets(std::string_view sound, std::string& out) {
  const bool has_brackets =
      sound.starts_with('/') || sound.starts_with('[') || sound.starts_with("⟨") || out.ends_with('[');
  out.append(has_brackets ? "" : "&#91;").append(sound).append(has_brackets ? "" : "&#93;");
}

// What follows a text in another language: how Latin letters write it, and what it means. Behind Latin letters a second
// text may be either; it may be in a third script, too. `next` is the number of the argument behind the text.
void append_explained(TemplateCall& call, const std::string& text, std::size_t next, std::string& out) {
  if (text.empty()) return;
  if (call.language() == "ja" && !call.at(next).empty()) out.append("、").append(call.at(next));
  if (call.language() == "ru" && !call.at(next).empty()) out.append(" — «").append(call.at(next)).append("»");
  if (!call.is_english()) return;
  const bool is_foreign = !is_latin(text);
  const std::string& beside = call.at(is_foreign && is_latin(call.seen(std::to_string(next))) ? next : 0);
  const std::string& romanized = call.has("translit") ? call.named("translit") : beside;
  const std::string& meaning = call.any_of({"lit", "translation", is_foreign ? std::to_string(next + 1) : "lit"});
  if (!romanized.empty()) out.append(", romanized: ").append(romanized);
  const std::string& sound = call.named("p");
  if (!sound.empty()) append_in_brackets(sound, out.append(", IPA: "));
  if (!meaning.empty()) out.append(", lit. &#39;").append(meaning).append("&#39;");
}

// {{langx|de|Berlin}}
void write_langx(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string& text = call.any_of({"2", "text"});
  append_named(call, call.plain(1), text, out);
  append_explained(call, text, 3, out);
}

// {{lang-de|Berlin}}
void write_named_language(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string code = call.name().substr(5);
  const std::string& first = call.any_of({"1", "text", "texte"});
  const std::string& text = first.empty() ? call.at(2) : first;
  append_named(call, code, text, out);
  append_explained(call, call.at(1), 2, out);
}

// {{Vol-lv|text}}, {{llang|de|text}}
void write_first_text(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  out.append(call.count() > 1 && is_code(call.at(1)) ? call.at(2) : call.at(1));
}

// {{transl|ar|ALA|text}}
void write_transliteration(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  out.append(call.last());
}

bool is_word_about_sound(std::string_view text) {
  constexpr auto kWords = std::to_array<std::string_view>({"pron", "lang", "local", "icon", "us", "uk", "also", "small",
                                                           "-", "label", "wrap=none", "generic", "info", "audio"});
  return text.empty() || std::find(kWords.begin(), kWords.end(), text) != kWords.end() || text.ends_with(".ogg") ||
         text.ends_with(".oga") || text.ends_with(".wav");
}

// Spanish {{AFI|paˈɾis}}, {{AFI|[paˈɾis]}} and {{AFI|/paˈɾis/}}: in brackets or between strokes.
void write_spanish_sounds(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string& sounds = call.at(1);
  if (sounds.empty()) return;
  const bool is_enclosed = sounds[0] == '[' || sounds[0] == '/' || call.language() != "es";
  out.append(is_enclosed ? sounds : "[" + sounds + "]");
}

// {{IPA|/a/}}, {{IPA|de|bɛʁˈliːn|lang}}
void write_ipa(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const bool has_code = call.count() > 1 && is_code(call.at(1)) && !is_word_about_sound(call.at(2));
  if (has_code) {
    append_in_brackets(call.at(2), out);
  } else {
    out.append(call.at(1));
  }
}

// {{IPA-de|bɛʁˈliːn|lang|file}}
void write_named_ipa(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  if (!call.at(1).empty()) append_in_brackets(call.at(1), out);
}

// {{IPAc-en|æ|l|ˈ|b|iː|d|oʊ}}: "/ælˈbiːdoʊ/"
void write_joined_ipa(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  std::string sound;
  for (std::size_t number = 1; number <= call.count(); ++number) {
    const std::string part = call.plain(number);
    if (part != "_" && is_word_about_sound(normal_name(part))) continue;
    sound.append(part == "'" ? "ˈ" : part == "," ? "ˌ" : part == "_" ? " " : part);
  }
  if (!sound.empty()) out.append("/").append(sound).append("/");
}

// {{respell|al|BEE|doh}}: "al-BEE-doh"
void write_respelling(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  bool joins = false;
  for (std::size_t number = 1; number <= call.count(); ++number) {
    const std::string part = call.plain(number);
    if (part.empty()) continue;
    const bool is_sign = part == "'" || part == "_" || part == "-";
    if (joins && !is_sign) out.push_back('-');
    out.append(part == "_" ? " " : part);
    joins = !is_sign;
  }
}

void write_angle_brackets(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  if (!call.at(1).empty()) out.append("⟨").append(call.at(1)).append("⟩");
}

// {{IPAblink|a}}, {{IPAslink|a}}
void write_linked_sound(TemplateCall& call, std::string_view detail, std::string& out) {
  if (call.at(1).empty()) return;
  out.append(detail == "[" ? "&#91;" : detail).append(call.at(1)).append(detail == "[" ? "&#93;" : detail);
}

// {{nihongo|English|kanji|romaji|extra|extra}}: "English (kanji, romaji, extra) extra"
void write_nihongo(TemplateCall& call, std::string_view detail, std::string& out) {
  std::string_view name = call.at(1);
  std::string_view first = call.at(2);
  std::string_view second = call.at(3);
  if (detail == "3") {
    name = call.at(3);
    second = call.at(1);
  }
  if (name.empty()) std::swap(name, second);
  if (name.empty()) std::swap(name, first);
  out.append(name);
  std::string notes;
  append_listed({first, second, call.any_of({"4", "extra"})}, notes);
  if (!notes.empty()) out.append(" (").append(notes).append(")");
  const std::string& after = call.any_of({"5", "extra2"});
  if (!after.empty()) out.append(" ").append(after);
}

// {{zh|t=漢字|s=汉字|p=hànzì}}, {{Korean|hangul=..|hanja=..|rr=..}}: the forms, one after the other.
void write_forms(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  std::vector<std::string> seen;
  for (const std::string_view form :
       {"c", "t", "s", "hangul", "1", "hanja", "2", "kanji", "p", "w", "j", "poj", "rr", "mr", "3", "4", "l"}) {
    const std::string& text = call.named(form);
    if (text.empty() || std::find(seen.begin(), seen.end(), text) != seen.end()) continue;
    if (!seen.empty()) out.append(", ");
    out.append(text);
    seen.push_back(text);
  }
}

// {{lit|text}}: lit. 'text'; in other languages 'text'
void write_meaning(TemplateCall& call, std::string_view detail, std::string& out) {
  if (!call.at(1).empty())
    out.append(call.is_english() ? detail : "").append("&#39;").append(call.at(1)).append("&#39;");
}

constexpr std::array kLanguageTemplates = std::to_array<TemplateEntry>({
    {"lang", write_lang, {}, "1"},
    {"language", write_lang, {}, "1"},
    {"langue", write_lang, {}, "1"},
    {"lg", write_lang, {}, "1"},
    {"wikt-lang", write_lang, {}, "1"},
    {"rtl-lang", write_lang, {}, "1"},
    {"ltr-lang", write_lang, {}, "1"},
    {"lang-", write_named_language},
    {"langx", write_langx, {}, "1"},
    {"llang", write_langx, {}, "1"},
    {"vol-", write_first_text, {}, "1"},
    {"dil-", write_first_text, {}, "1"},
    {"мова-", write_first_text, {}, "1"},
    {"en s", write_first_text, {}, "1"},
    {"ens", write_first_text, {}, "1"},
    {"des", write_first_text, {}, "1"},
    {"frs", write_first_text, {}, "1"},
    {"las", write_first_text, {}, "1"},
    {"grcs", write_first_text, {}, "1"},
    {"rus", write_first_text, {}, "1"},
    {"ars", write_first_text, {}, "1"},
    {"w języku", write_transliteration, {}, "1 2"},
    {"vjazyce2", write_transliteration, {}, "1 2"},
    {"v jazyku", write_transliteration, {}, "1 2"},
    {"transl", write_transliteration, {}, "1 2"},
    {"transliteration", write_transliteration, {}, "1 2"},
    {"xlit", write_transliteration, {}, "1 2"},
    {"tlit", write_transliteration, {}, "1 2"},
    {"translit", write_transliteration, {}, "1 2"},
    {"hebrew", write_first_text, {}, "1"},
    {"hebr", write_first_text, {}, "1"},
    {"he", write_first_text, {}, "1"},
    {"script", write_transliteration, {}, "1 2"},
    {"script/hebrew", write_first_text, {}, "1"},
    {"script/arabic", write_first_text, {}, "1"},
    {"script/greek", write_first_text, {}, "1"},
    {"script/cyrillic", write_first_text, {}, "1"},
    {"polytonic", write_first_text, {}, "1"},
    {"grc", write_first_text, {}, "1"},
    {"arabic", write_first_text, {}, "1"},
    {"armenian", write_first_text, {}, "1"},
    {"arabdin", write_first_text, {}, "1"},
    {"semxlit", write_first_text, {}, "1"},
    {"cyrl", write_first_text, {}, "1"},
    {"afi", write_spanish_sounds},
    {"ipa", write_ipa, {}, "1 3 4 audio tondatei"},
    {"api", write_ipa, {}, "1 3 4 audio tondatei"},
    {"ipa-", write_named_ipa, {}, "2 3 4 audio"},
    {"ipac-", write_joined_ipa, {}, "audio"},
    {"ipa2", write_named_ipa, {}, "2 3 4 audio"},
    {"api-", write_named_ipa, {}, "2 3 4 audio"},
    {"pronunciation", write_named_ipa, {}, "2 3 4 audio"},
    {"pron-en", write_named_ipa, {}, "2 3 4 audio"},
    {"pron-", write_named_ipa, {}, "2 3 4 audio"},
    {"proneng", write_named_ipa, {}, "2 3 4 audio"},
    {"respell", write_respelling},
    {"pronunciation respelling", write_respelling},
    {"usdict", write_respelling},
    {"angbr", write_angle_brackets},
    {"angbr ipa", write_angle_brackets},
    {"angle bracket", write_angle_brackets},
    {"angle brackets", write_angle_brackets},
    {"grapheme", write_angle_brackets},
    {"ipalink", write_linked_sound, ""},
    {"ipa link", write_linked_sound, ""},
    {"ipablink", write_linked_sound, "["},
    {"ipaslink", write_linked_sound, "/"},
    {"nihongo", write_nihongo, {}, "lead"},
    {"nihongo-s", write_nihongo, {}, "lead"},
    {"nihongo krt", write_nihongo, "3", "lead"},
    {"nihongo3", write_nihongo, "3", "lead"},
    {"japonais", write_nihongo, {}, "lead"},
    {"zh", write_forms, {}, "first labels links scase"},
    {"zh-", write_forms, {}, "first labels links scase"},
    {"zh-full", write_forms, {}, "first labels links scase"},
    {"chinese", write_forms, {}, "first labels links scase"},
    {"korean", write_forms, {}, "first labels links scase"},
    {"ko-hhrm", write_forms, {}, "first labels links scase"},
    {"korean/auto", write_forms, {}, "first labels links scase"},
    {"lit", write_meaning, "lit. "},
    {"literally", write_meaning, "lit. "},
    {"literal translation", write_meaning, "lit. "},
    {"lit.", write_meaning, "lit. "},
    {"translation", write_meaning, "transl. "},
    {"trans", write_meaning, "transl. "},
    {"gloss", write_meaning, ""},
});

}  // namespace

std::span<const TemplateEntry> language_templates() {
  return kLanguageTemplates;
}

}  // namespace bertprep::clean
