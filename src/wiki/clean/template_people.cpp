#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <utility>

#include "wiki/clean/digits.h"
#include "wiki/clean/language_table.h"
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
  const std::string& before = call.named("preattività");  // in place of the verb and article
  if (before.empty()) {
    out.append(is_dead ? (is_woman ? " è stata " : " è stato ") : " è ").append(with_article(first, is_woman));
  } else {
    out.append(before.starts_with(',') ? "" : " ").append(before).append(" ").append(first);
  }
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
  std::string birth = place_and_day(call, "nascita");
  const std::string& before = call.named("predata");
  if (!before.empty()) birth.insert(0, birth.empty() ? before : before + "; ");
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

// {{OldStyleDate|February 2|1905|January 20}}: "February 2 [O.S. January 20] 1905"; in other languages the old day in
// brackets.
void write_old_style_date(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  out.append(call.at(1));
  const bool is_english = call.is_english();
  if (!call.at(3).empty())
    out.append(is_english ? " &#91;O.S. " : " (").append(call.at(3)).append(is_english ? "&#93;" : ")");
  if (!call.at(2).empty()) out.append(" ").append(call.at(2));
}

// "1765", "4", "8" in the Gregorian calendar; nothing when they are no day.
std::optional<std::chrono::year_month_day> read_day(std::string_view year, std::string_view month,
                                                    std::string_view day) {
  const auto years = whole_number(year);
  const auto months = whole_number(month);
  const auto days = whole_number(day);
  if (!years || !months || !days || *years < 1 || *years > 9999 || *months < 1 || *days < 1) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*years), std::chrono::month(static_cast<unsigned>(*months)),
                                         std::chrono::day(static_cast<unsigned>(*days))};
  if (!date.ok()) return std::nullopt;
  return date;
}

// The same day in the calendar of our time. Source: the Julian day numbers of the Explanatory Supplement to the
// Astronomical Almanac, section 12.95.
std::chrono::year_month_day from_old_style(std::chrono::year_month_day julian) {
  constexpr int kEpoch = 2440588;  // of the system clock, 1970-01-01
  const int year = static_cast<int>(julian.year());
  const int month = static_cast<int>(static_cast<unsigned>(julian.month()));
  const int day = static_cast<int>(static_cast<unsigned>(julian.day()));
  const int number = 367 * year - 7 * (year + 5001 + (month - 9) / 7) / 4 + 275 * month / 9 + day + 1729777;
  return std::chrono::sys_days{std::chrono::days{number - kEpoch}};
}

void append_day(std::chrono::year_month_day date, bool has_month, bool has_year, const LanguageTable& table,
                std::string& out) {
  out.append(std::to_string(static_cast<unsigned>(date.day())));
  const std::string month = std::to_string(static_cast<unsigned>(date.month()));
  if (has_month) out.append(" ").append(table.month_name(month));
  if (has_year) out.append(" ").append(std::to_string(static_cast<int>(date.year())));
}

// Russian {{СС3|8.4.1765}}, of the old style: "8 (19) апреля 1765"; from February 1918 on there is none, and before
// 1582 there was no other.
void write_both_styles(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string text = call.plain(1);
  const std::size_t first = std::min(text.find('.'), text.size());
  const std::size_t second = std::min(text.find('.', first + 1), text.size());
  if (second == text.size()) return;
  const auto old_style =
      read_day(text.substr(second + 1), text.substr(first + 1, second - first - 1), text.substr(0, first));
  constexpr std::chrono::year_month_day kReform{std::chrono::year(1582), std::chrono::October, std::chrono::day(5)};
  constexpr std::chrono::year_month_day kEnd{std::chrono::year(1918), std::chrono::February, std::chrono::day(1)};
  if (!old_style) return;
  if (*old_style < kReform || *old_style >= kEnd) return append_day(*old_style, true, true, call.table(), out);
  const auto new_style = from_old_style(*old_style);
  const bool has_year = old_style->year() != new_style.year();
  const bool has_month = has_year || old_style->month() != new_style.month();
  append_day(*old_style, has_month, has_year, call.table(), out);
  out.append(" (");
  append_day(new_style, has_month, has_year, call.table(), out);
  out.append(")");
  const std::string month = std::to_string(static_cast<unsigned>(new_style.month()));
  if (!has_month) out.append(" ").append(call.table().month_name(month));
  if (!has_year) out.append(" ").append(std::to_string(static_cast<int>(new_style.year())));
}

// Spanish {{julgregfecha|25|12|1642}}: "25 de diciembre de 1642jul./ 4 de enero de 1643greg."
void write_spanish_styles(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const auto old_style = read_day(call.plain(3), call.plain(2), call.plain(1));
  if (!old_style) return;
  const auto new_style = from_old_style(*old_style);
  const auto append = [&](std::chrono::year_month_day date, bool has_year) {
    const std::string month = std::to_string(static_cast<unsigned>(date.month()));
    out.append(std::to_string(static_cast<unsigned>(date.day()))).append(" de ").append(call.table().month_name(month));
    if (has_year) out.append(" de ").append(std::to_string(static_cast<int>(date.year())));
  };
  append(*old_style, old_style->year() != new_style.year());
  out.append("jul./ ");
  append(new_style, true);
  out.append("greg.");
}

// Russian {{СС|7|ноября|1917|25|октября}}, {{OldStyleDate|7|11|1917|25|10}}: "25 октября (7 ноября) 1917";
// {{СС|19|ноября|1711|8}}: "8 (19) ноября 1711".
void write_typed_styles(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const auto with_month = [&](const std::string& day, const std::string& month) {
    return month.empty() ? day : day + " " + std::string(call.table().month_name(month));
  };
  const std::string& old_day = call.at(4);
  const std::string new_day = with_month(call.at(1), call.at(2));
  if (call.at(1).empty()) return;
  const bool has_month = !call.at(5).empty() || old_day.find(' ') != old_day.npos;
  const bool has_year = !call.at(6).empty();
  if (old_day.empty()) {
    out.append(new_day);
  } else if (has_month) {
    out.append(with_month(old_day, call.at(5))).append(has_year ? " " : "").append(call.at(6)).append(" (");
    out.append(new_day).append(has_year ? " " : "").append(has_year ? call.at(3) : "").append(")");
  } else {
    out.append(old_day).append(" (").append(with_month(call.at(1) + ")", call.at(2)));
  }
  if (!has_year && !call.at(3).empty()) out.append(" ").append(call.at(3));
}

// The day that begins with that argument, in either order: a year has more than two digits.
std::optional<std::chrono::year_month_day> day_of(TemplateCall& call, std::size_t first) {
  const std::string start = call.plain(first);
  const std::string end = call.plain(first + 2);
  const bool is_year_last = start.size() <= 2 && end.size() > 2;
  return read_day(is_year_last ? end : start, call.plain(first + 1), is_year_last ? start : end);
}

std::optional<int> years_between(std::chrono::year_month_day birth, std::chrono::year_month_day then) {
  if (then < birth) return std::nullopt;
  const bool is_before_birthday = std::pair(then.month(), then.day()) < std::pair(birth.month(), birth.day());
  return static_cast<int>((then.year() - birth.year()).count()) - (is_before_birthday ? 1 : 0);
}

// The day that begins with that argument; without one, when the dump was made.
std::optional<std::chrono::year_month_day> day_or_now(TemplateCall& call, std::size_t first) {
  const std::string_view clock = call.site().clock;
  if (!call.at(first).empty() || clock.size() < 10) return day_of(call, first);
  return read_day(clock.substr(0, 4), clock.substr(5, 2), clock.substr(8, 2));
}

// {{age|1879|3|14|1955|4|18}}: "76"
void write_age(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const auto birth = day_of(call, 1);
  const auto then = day_or_now(call, 4);
  if (const auto years = birth && then ? years_between(*birth, *then) : std::nullopt)
    out.append(std::to_string(*years));
}

// {{age in years and days|1900|5|5|1901|5|10}}: "1 year, 5 days"
void write_years_and_days(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const auto first = day_of(call, 1);
  const auto last = day_or_now(call, 4);
  const auto years = first && last ? years_between(*first, *last) : std::nullopt;
  if (!years) return;
  const std::chrono::year_month_day birthday = *first + std::chrono::years(*years);
  if (!birthday.ok()) return;
  const auto days = (std::chrono::sys_days(*last) - std::chrono::sys_days(birthday)).count();
  if (*years > 0) out.append(std::to_string(*years)).append(*years == 1 ? " year, " : " years, ");
  out.append(std::to_string(days)).append(days == 1 ? " day" : " days");
}

std::string english_date(TemplateCall& call) {
  const std::string& form = call.named("df");
  const bool is_day_first = form == "y" || form == "yes";
  return written_date(call.plain(1), call.plain(2), call.plain(3), !is_day_first);
}

// {{birth date and age|1990|1|2}}: "January 2, 1990 (age 30)"
void write_birth_and_age(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const auto birth = day_of(call, 1);
  const auto now = call.site().clock.empty() ? std::nullopt : day_or_now(call, 4);
  const auto years = birth && now && call.at(4).empty() ? years_between(*birth, *now) : std::nullopt;
  if (years) out.append(english_date(call)).append(" (age ").append(std::to_string(*years)).append(")");
}

// {{death date and age|1950|6|6|1900|5|5}}: "June 6, 1950 (aged 50)". Without both days the age is not certain.
void write_age_at_death(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const auto birth = day_of(call, 4);
  const auto death = day_of(call, 1);
  const auto years = birth && death ? years_between(*birth, *death) : std::nullopt;
  if (!years) return;
  out.append(english_date(call)).append(" (aged ").append(std::to_string(*years)).append(")");
}

// Japanese {{没年齢|1900|5|5|1950|5|4}}: "49歳没"; with the day "1950年5月4日（49歳没）".
void write_japanese_age(TemplateCall& call, std::string_view detail, std::string& out) {
  const auto birth = day_of(call, 1);
  const auto death = day_of(call, 4);
  const auto years = birth && death ? years_between(*birth, *death) : std::nullopt;
  if (!years) return;
  const std::string age = std::to_string(*years) + "歳没";
  if (detail.empty()) {
    out.append(age);
    return;
  }
  out.append(call.plain(4)).append("年").append(call.plain(5)).append("月").append(call.plain(6)).append("日");
  out.append("（").append(age).append("）");
}

constexpr std::array kPeopleTemplates = std::to_array<TemplateEntry>({
    {"bio",
     write_biography,
     {},
     "immagine didascalia didascalia2 dimimmagine sesso forzaordinamento ordinamento categorie epoca epoca2 epoca3 "
     "luogonascitalink luogomortelink attività attività2 attività3 nazionalità nazionalitànaturalizzato cat",
     "it"},
    {"oldstyledate", write_old_style_date},
    {"old style date", write_old_style_date},
    {"oldstyledatedy", write_old_style_date},
    {"oldstyledatenoyear", write_old_style_date},
    {"сс", write_typed_styles, {}, {}, "ru"},
    {"сс2", write_typed_styles, {}, {}, "ru"},
    {"сс3", write_both_styles, {}, {}, "ru"},
    {"julgregfecha", write_spanish_styles, {}, {}, "es"},
    {"age", write_age},
    {"birth date and age", write_birth_and_age, {}, "mf", "en"},
    {"bda", write_birth_and_age, {}, "mf", "en"},
    {"age in years and days", write_years_and_days, {}, {}, "en"},
    {"age in years", write_age},
    {"age at death", write_age_at_death, {}, "mf", "en"},
    {"没年齢", write_japanese_age, {}, {}, "ja"},
    {"死亡年月日と没年齢", write_japanese_age, "day", {}, "ja"},
});

}  // namespace

std::span<const TemplateEntry> people_templates() {
  return kPeopleTemplates;
}

}  // namespace bertprep::clean
