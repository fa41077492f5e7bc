
#include <algorithm>

#include "wiki/clean/markup/chars.h"
#include "wiki/clean/templates.h"

namespace bertprep::clean {
namespace {

// "de", "grc", "zh-hant"
bool is_code(std::string_view text) {
  const std::string_view head = text.substr(0, text.find('-'));
  const bool is_short = head.size() == 2 || head.size() == 3;
  return is_short && text.size() <= 12 && std::all_of(text.begin(), text.end(), [](char byte) {
           return (byte >= 'a' && byte <= 'z') || byte == '-' || is_ascii_digit(byte);
         });
}

// "German: Berlin", "en anglais : Berlin"; `label` is an argument that may be "none". In English the head of a code
// names its language.
void append_named(TemplateCall& call, std::string_view code, const std::string& text, std::string& out) {
  if (text.empty()) return;
  const bool has_label = call.named("label") != "none" && call.named("links") != "none";
  if (call.is_english()) code = code.substr(0, code.find('-'));
  out.append(has_label ? call.table().named_language(code, text) : text);
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

bool is_word_about_sound(std::string_view text) {
  constexpr std::string_view kWords = "pron lang local icon us uk also small - label wrap=none generic info audio";
  return text.empty() || has_word(kWords, text) || length_at_end(text, {".ogg", ".oga", ".wav"}) != 0;
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
  for (const std::string_view note : {first, second, std::string_view(call.any_of({"4", "extra"}))})
    append_part(note, ", ", notes);
  if (!notes.empty()) out.append(" (").append(notes).append(")");
  const std::string& after = call.any_of({"5", "extra2"});
  if (!after.empty()) out.append(" ").append(after);
}

// {{zh|t=漢字|s=汉字|p=hànzì}}, {{Korean|hangul=..|hanja=..|rr=..}}: the forms, one after the other.
void write_forms(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  std::vector<std::string> forms;
  std::string text;
  for (const std::string_view name :
       {"c", "t", "s", "hangul", "1", "hanja", "2", "kanji", "p", "w", "j", "poj", "rr", "mr", "3", "4", "l"}) {
    const std::string& form = call.named(name);
    if (std::ranges::find(forms, form) != forms.end()) continue;
    append_part(form, ", ", text);
    forms.push_back(form);
  }
  out.append(text);
}

constexpr TemplateEntry kLanguageTemplates[] = {
    {"lang-", write_named_language},
    {"langx, llang", write_langx, {}, "1"},
    {"vol-, dil-, мова-, en s, ens, des, frs, las, grcs, rus, ars, hebrew, hebr, he, script/hebrew, script/arabic, "
     "script/greek, script/cyrillic, polytonic, grc, arabic, armenian, arabdin, semxlit, cyrl",
     write_first_text,
     {},
     "1"},
    {"afi", write_spanish_sounds},
    {"ipa, api", write_ipa, {}, "1 3 4 audio tondatei"},
    {"ipa-, ipa2, api-, pronunciation, pron-en, pron-, proneng", write_named_ipa, {}, "2 3 4 audio"},
    {"ipac-", write_joined_ipa, {}, "audio"},
    {"respell, pronunciation respelling, usdict", write_respelling},
    {"nihongo, nihongo-s, japonais", write_nihongo, {}, "lead"},
    {"nihongo krt, nihongo3", write_nihongo, "3", "lead"},
    {"zh, zh-, zh-full, chinese, korean, ko-hhrm, korean/auto", write_forms, {}, "first labels links scase"},
};

}  // namespace

std::span<const TemplateEntry> language_templates() {
  return kLanguageTemplates;
}

}  // namespace bertprep::clean
