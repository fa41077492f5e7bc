#include <array>

#include "wiki/clean/markup/chars.h"
#include "wiki/clean/templates.h"

namespace bertprep::clean {
namespace {

// "Torino, 8 marzo 1932"
std::string place_and_day(TemplateCall& call, const std::string& which) {
  std::string text = call.named("luogo" + which);
  const std::string& day = call.named("giornomese" + which);
  const std::string& year = call.named("anno" + which);
  if (!text.empty() && !(day.empty() && year.empty())) text.append(", ");
  text.append(day);
  if (!day.empty() && !year.empty()) text.append(" ");
  return text.append(year);
}

// "un attore", "un'attrice", "uno scrittore", "una cantante"
std::string with_article(const std::string& work, bool is_woman) {
  const char first = ascii_lower(work.front());
  const bool is_vowel = std::string_view("aeiou").find(first) != std::string_view::npos;
  const bool is_hard =
      first == 'z' || work.starts_with("ps") || work.starts_with("gn") ||
      (first == 's' && work.size() > 1 && std::string_view("aeiou").find(work[1]) == std::string_view::npos);
  if (is_woman) return (is_vowel ? "un'" : "una ") + work;
  return (is_hard ? "uno " : "un ") + work;
}

void append_works(TemplateCall& call, bool is_dead, bool is_woman, std::string& out) {
  const std::string& first = call.named("attività");
  if (first.empty()) return;
  out.append(is_dead ? (is_woman ? " è stata " : " è stato ") : " è ").append(with_article(first, is_woman));
  const std::string& second = call.named("attività2");
  const std::string& third = call.named("attività3");
  const std::string& others = call.named("attivitàaltre");
  const bool is_last_second = third.empty() && others.empty();
  if (!second.empty()) out.append(is_last_second ? " e " : ", ").append(second);
  if (!third.empty()) out.append(others.empty() ? " e " : ", ").append(third);
  out.append(others);
  if (!call.named("nazionalità").empty()) out.append(" ").append(call.named("nazionalità"));
  out.append(call.named("postnazionalità"));
}

// The first sentence of an Italian biography.
void write_biography(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  if (call.named("nome").empty() && call.named("cognome").empty()) return;
  std::string text = call.named("titolo");
  for (const std::string_view part : {"nome", "cognome"}) {
    if (!text.empty() && !call.named(part).empty()) text.push_back(' ');
    text.append(call.named(part));
  }
  const std::string& after = call.named("postcognome");
  if (!after.empty()) text.append(after.starts_with(',') ? "" : " ").append(after);
  if (!call.named("postcognomevirgola").empty()) text.append(", ").append(call.named("postcognomevirgola"));
  const std::string birth = place_and_day(call, "nascita");
  const std::string death = place_and_day(call, "morte");
  if (!birth.empty() || !death.empty()) {
    text.append(" (").append(birth).append(death.empty() ? "" : " – ").append(death).append(")");
  }
  const std::string& end = call.named("fineincipit");
  if (end.empty()) {
    append_works(call, !death.empty(), call.named("sesso") == "F", text);
  } else {
    text.append(end.starts_with(',') ? "" : " ").append(end);
  }
  out.append(text);
  if (!text.ends_with('.')) out.push_back('.');
  out.push_back('\n');
}

// {{OldStyleDate|February 2|1905|January 20}}
void write_old_style_date(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  out.append(call.at(1));
  if (!call.at(3).empty()) out.append(" &#91;O.S. ").append(call.at(3)).append("&#93;");
  if (!call.at(2).empty()) out.append(" ").append(call.at(2));
}

constexpr std::array kPeopleTemplates = std::to_array<TemplateEntry>({
    {"bio", write_biography},
    {"oldstyledate", write_old_style_date},
    {"old style date", write_old_style_date},
    {"oldstyledatedy", write_old_style_date},
    {"oldstyledatenoyear", write_old_style_date},
});

}  // namespace

std::span<const TemplateEntry> people_templates() {
  return kPeopleTemplates;
}

}  // namespace bertprep::clean
