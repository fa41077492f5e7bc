
#include <algorithm>
#include <array>
#include <chrono>

#include "wiki/clean/markup/chars.h"
#include "wiki/clean/templates.h"

namespace bertprep::clean {
namespace {

using Date = std::chrono::year_month_day;

// {{siglo|XIX||s}}: "siglo XIX"; {{siglo|XIX||a}}: "s. XIX"; {{siglo|II|a}}: "II a. C."
void write_spanish_century(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  if (call.at(1).empty()) return;
  const std::string word = call.plain(3);
  const bool is_known =
      (word.empty() || has_word("s S a A", word)) && (call.at(2).empty() || has_word("a d", call.at(2)));
  if (!is_known) return;
  if (word == "s" || word == "S") out.append(word).append("iglo ");
  if (word == "a" || word == "A") out.append(word == "a" ? "s. " : "S. ");
  out.append(call.at(1));
  const std::string era = call.plain(2);
  if (era == "a" || era == "d") out.append(" ").append(era).append(". C.");
}

// {{s-|XIX|e}}: "XIXe siècle"; {{s2|III|e|IX|e}}: "IIIe et IXe siècles"; {{sp-|XII|e|et au|XVI|e}}: "XIIe et au XVIe
// siècle"; {{-s|V}}: "Ve siècle av. J.-C.". `name` has a "2" for two centuries, begins with "-" for those before
// Christ, and says "mini" without the word for century.
void write_french_century(TemplateCall& call, std::string_view name, std::string& out) {
  std::string text;
  std::size_t centuries = 0;
  const bool are_two = name.find('2') != name.npos;
  bool is_plural = are_two;
  for (std::size_t number = 1; number <= std::min<std::size_t>(call.count(), 9); ++number) {
    const std::string part = call.plain(number);
    if (part.empty() || has_word("e er ère ème eme", part)) continue;
    if (part == "s") {
      is_plural = true;
      continue;
    }
    const bool is_century = part.find_first_not_of("IVXL") == part.npos || is_ascii_digit(part[0]);
    if (!text.empty()) text.append(is_century && centuries == 1 && are_two ? " et " : " ");
    text.append(part);
    if (is_century) text.append(part == "I" || part == "1" ? "er" : "e");
    centuries += is_century ? 1 : 0;
  }
  if (centuries == 0) return;
  out.append(text);
  if (name.find("mini") == name.npos) out.append(is_plural ? " siècles" : " siècle");
  if (name.starts_with('-')) out.append(" av. J.-C.");
}

bool has_letter(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char byte) { return is_ascii_letter(byte) || !is_ascii(byte); });
}

// In a language other than English, in the way of its table: "12 mars 2018"; without one "2018-03-12". Days may come
// before their years.
std::string date_elsewhere(TemplateCall& call) {
  std::string year = call.plain(1);
  std::string day = call.plain(3);
  const std::string month = call.plain(2);
  if (month.empty() && day.empty()) return year;
  if (year.size() <= 2 && day.size() > 2) std::swap(year, day);
  const bool is_date =
      is_ascii_digits(year) && !month.empty() && (day.empty() || (is_ascii_digits(day) && day.size() < 3));
  if (!is_date) return {};
  const std::string_view form = call.table().date_form();
  const std::string_view name = call.table().month_name(month);
  if (!has_letter(name) && is_ascii(form)) {
    const auto two_digits = [](const std::string& number) { return (number.size() < 2 ? "-0" : "-") + number; };
    return year + two_digits(month) + (day.empty() ? "" : two_digits(day));
  }
  std::string text;
  for (std::size_t at = form.find('{'); at < form.size();) {
    const std::size_t end = std::min(form.find('}', at), form.size() - 1);
    const std::size_t next = std::min(form.find('{', end), form.size());
    const std::string_view part = form.substr(at + 1, end - at - 1);
    const std::string_view value = part == "day" ? day : part == "month" ? name : std::string_view(year);
    if (!value.empty()) text.append(value).append(form.substr(end + 1, next - end - 1));
    at = next;
  }
  return text;
}

// {{as of|2010|5}}: "As of May 2010"; in other languages the date alone.
void write_as_of(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string& other = call.named("alt");
  if (!other.empty()) {
    call.ignore("*");
    out.append(other);
    return;
  }
  if (!call.is_english()) {
    out.append(date_elsewhere(call)).append(call.named("post"));
    return;
  }
  const std::string date = written_date(call.plain(1), call.plain(2), call.plain(3), call.named("df") == "US");
  if (date.empty()) return;
  if (!call.has("bare")) {
    const bool is_since = call.has("since");
    const bool is_small = has_word("y yes on", call.named("lc"));
    out.append(is_since ? (is_small ? "since" : "Since") : (is_small ? "as of" : "As of")).push_back(' ');
    if (!call.named("pre").empty()) out.append(call.named("pre")).push_back(' ');
  }
  out.append(date).append(call.named("post"));
}

std::string english_date(TemplateCall& call) {
  return written_date(call.plain(1), call.plain(2), call.plain(3), !has_word("y yes", call.named("df")));
}

// {{birth date|1879|3|14}}
void write_date(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  out.append(call.is_english() ? english_date(call) : date_elsewhere(call));
}

// {{film date|1950|6|6|London}}: "June 6, 1950 (London)"
void write_first_night(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string date = english_date(call);
  out.append(date);
  if (!date.empty() && !call.at(4).empty()) out.append(" (").append(call.at(4)).append(")");
}

// "2018-03-12" in words: "12 mars 2018". Empty for any other text.
std::string date_in_words(std::string_view text, TemplateCall& call) {
  const bool is_date = text.size() == 10 && text[4] == '-' && text[7] == '-' && !has_letter(text);
  if (!is_date) return {};
  const std::string_view day = text.substr(text[8] == '0' ? 9 : 8);
  const std::string_view month = call.table().month_name(text.substr(5, 2));
  if (!has_letter(month)) return {};
  std::string words(day == "1" && call.language() == "fr" ? "1er" : day);
  return words.append(" ").append(month).append(" ").append(text.substr(0, 4));
}

// French {{date|1|janvier|2000|en sport}}, {{date|1|1|2000}}, {{date|1 janvier 2000|en sport}}, {{date|2000-01-01}}:
// the day, month and year; what follows is their subject. A part that ends with a hyphen is hidden.
void write_french_date(TemplateCall& call, std::string_view detail, std::string& out) {
  const std::string first = call.plain(1);
  const bool has_subject = detail == "subject";
  if (const std::string words = date_in_words(first, call); !words.empty()) {
    if (has_subject) call.ignore("2");
    out.append(words);
    return;
  }
  const bool is_day = first.empty() || !has_letter(first) || first == "1er";
  const bool has_month = is_day && has_letter(call.table().month_name(call.plain(2)));
  if (is_day && !has_month && !call.plain(2).empty()) return;
  const bool is_first = call.language() == "fr" && (first == "1" || first == "01") && has_month;
  std::string date = is_first ? "1er" : call.at(1);
  if (call.language() == "fr" && !is_day && date.starts_with("1 ")) date.insert(1, "er");
  for (std::size_t number = 2; number <= (is_day ? 3U : 2U); ++number) {
    const std::string& part = call.at(number);
    const bool is_subject = (number == 3 || !is_day) && !part.empty() && !is_ascii_digit(part[0]);
    if (is_subject && !has_subject) return;
    if (is_subject) break;
    if (part.empty() || part.ends_with('-')) continue;
    date.append(date.empty() ? "" : " ").append(number == 2 && is_day ? call.table().month_name(part) : part);
  }
  out.append(date);
}

// Spanish {{fecha|24|2|1993|edad}}, {{fecha|24|2}}, {{fecha|2|1993}}, {{fecha|1993}}: "24 de febrero de 1993" or what
// is given of it.
void write_spanish_date(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  std::array<std::string, 3> parts{call.plain(1), call.plain(2), call.plain(3)};
  const auto is_year = [](std::string_view part) { return part.size() > 2 && is_ascii_digit(part[0]); };
  if (parts[2].empty() && is_year(parts[1])) std::rotate(parts.begin(), parts.end() - 1, parts.end());
  parts[1] = call.table().month_name(parts[1]);
  std::string text;
  for (const std::string& part : parts) append_part(part, " de ", text);
  out.append(text);
}

// "Torino, 8 marzo 1932"
std::string place_and_day(TemplateCall& call, const std::string& which) {
  std::string text = call.named("luogo" + which);
  std::string day = call.named("giornomese" + which);
  append_part(call.named("anno" + which), " ", day);
  append_part(day, ", ", text);
  return text;
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
  for (const std::string_view part : {"nome", "cognome"}) append_part(call.named(part), " ", text);
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

// "1765", "4", "8" in the Gregorian calendar; nothing when they are no day.
std::optional<Date> read_day(std::string_view year, std::string_view month, std::string_view day) {
  const int years = whole_number(year).value_or(0);
  const int months = whole_number(month).value_or(0);
  const int days = whole_number(day).value_or(0);
  if (years < 1 || years > 9999 || months < 1 || days < 1) return std::nullopt;
  const Date date{std::chrono::year(years), std::chrono::month(static_cast<unsigned>(months)),
                  std::chrono::day(static_cast<unsigned>(days))};
  return date.ok() ? std::optional(date) : std::nullopt;
}

std::string day_text(Date date) {
  return std::to_string(static_cast<unsigned>(date.day()));
}

std::string month_text(Date date, const TemplateCall& call) {
  return std::string(call.table().month_name(std::to_string(static_cast<unsigned>(date.month()))));
}

std::string year_text(Date date) {
  return std::to_string(static_cast<int>(date.year()));
}

// The same day in the calendar of our time. Source: the Julian day numbers of the Explanatory Supplement to the
// Astronomical Almanac, section 12.95.
Date from_old_style(Date julian) {
  constexpr int kEpoch = 2440588;  // of the system clock, 1970-01-01
  const int year = static_cast<int>(julian.year());
  const int month = static_cast<int>(static_cast<unsigned>(julian.month()));
  const int day = static_cast<int>(static_cast<unsigned>(julian.day()));
  const int number = 367 * year - 7 * (year + 5001 + (month - 9) / 7) / 4 + 275 * month / 9 + day + 1729777;
  return std::chrono::sys_days{std::chrono::days{number - kEpoch}};
}

// Russian {{СС3|8.4.1765}}, of the old style: "8 (19) апреля 1765"; from February 1918 on there is none, and before
// 1582 there was no other. What both styles have in common stands behind them.
void write_both_styles(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string text = call.plain(1);
  const std::size_t first = std::min(text.find('.'), text.size());
  const std::size_t second = std::min(text.find('.', first + 1), text.size());
  if (second == text.size()) return;
  const auto old_style =
      read_day(text.substr(second + 1), text.substr(first + 1, second - first - 1), text.substr(0, first));
  constexpr Date kReform{std::chrono::year(1582), std::chrono::October, std::chrono::day(5)};
  constexpr Date kEnd{std::chrono::year(1918), std::chrono::February, std::chrono::day(1)};
  if (!old_style) return;
  const bool has_new_style = *old_style >= kReform && *old_style < kEnd;
  const Date new_style = has_new_style ? from_old_style(*old_style) : *old_style;
  const bool is_own_year = old_style->year() != new_style.year();
  const bool is_own_month = is_own_year || old_style->month() != new_style.month();
  const auto day = [&](Date date) {
    return day_text(date) + (is_own_month ? " " + month_text(date, call) : "") +
           (is_own_year ? " " + year_text(date) : "");
  };
  out.append(day(*old_style));
  if (has_new_style) out.append(" (").append(day(new_style)).append(")");
  if (!is_own_month) out.append(" ").append(month_text(new_style, call));
  if (!is_own_year) out.append(" ").append(year_text(new_style));
}

// Spanish {{julgregfecha|25|12|1642}}: "25 de diciembre de 1642jul./ 4 de enero de 1643greg."
void write_spanish_styles(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const auto old_style = read_day(call.plain(3), call.plain(2), call.plain(1));
  if (!old_style) return;
  const Date new_style = from_old_style(*old_style);
  const auto day = [&](Date date) { return day_text(date) + " de " + month_text(date, call); };
  out.append(day(*old_style));
  if (old_style->year() != new_style.year()) out.append(" de ").append(year_text(*old_style));
  out.append("jul./ ").append(day(new_style)).append(" de ").append(year_text(new_style)).append("greg.");
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
std::optional<Date> day_of(TemplateCall& call, std::size_t first) {
  const std::string start = call.plain(first);
  const std::string end = call.plain(first + 2);
  const bool is_year_last = start.size() <= 2 && end.size() > 2;
  return read_day(is_year_last ? end : start, call.plain(first + 1), is_year_last ? start : end);
}

// The day that begins with that argument; without one, when the dump was made.
std::optional<Date> day_or_now(TemplateCall& call, std::size_t first) {
  const std::string_view clock = call.site().clock;
  if (!call.at(first).empty() || clock.size() < 10) return day_of(call, first);
  return read_day(clock.substr(0, 4), clock.substr(5, 2), clock.substr(8, 2));
}

std::optional<int> years_between(std::optional<Date> birth, std::optional<Date> then) {
  if (!birth || !then || *then < *birth) return std::nullopt;
  const bool is_before_birthday = std::pair(then->month(), then->day()) < std::pair(birth->month(), birth->day());
  return static_cast<int>((then->year() - birth->year()).count()) - (is_before_birthday ? 1 : 0);
}

// {{age|1879|3|14|1955|4|18}}: "76"
void write_age(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  if (const auto years = years_between(day_of(call, 1), day_or_now(call, 4))) out.append(std::to_string(*years));
}

// {{age in years and days|1900|5|5|1901|5|10}}: "1 year, 5 days"
void write_years_and_days(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const auto first = day_of(call, 1);
  const auto last = day_or_now(call, 4);
  const auto years = years_between(first, last);
  if (!years) return;
  const Date birthday = *first + std::chrono::years(*years);
  if (!birthday.ok()) return;
  const auto days = (std::chrono::sys_days(*last) - std::chrono::sys_days(birthday)).count();
  if (*years > 0) out.append(std::to_string(*years)).append(*years == 1 ? " year, " : " years, ");
  out.append(std::to_string(days)).append(days == 1 ? " day" : " days");
}

// {{birth date and age|1990|1|2}}: "January 2, 1990 (age 30)"
void write_birth_and_age(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  if (!call.at(4).empty() || call.site().clock.empty()) return;
  const auto years = years_between(day_of(call, 1), day_or_now(call, 4));
  if (years) out.append(english_date(call)).append(" (age ").append(std::to_string(*years)).append(")");
}

// {{death date and age|1950|6|6|1900|5|5}}: "June 6, 1950 (aged 50)". Without both days the age is not certain.
void write_age_at_death(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const auto years = years_between(day_of(call, 4), day_of(call, 1));
  if (years) out.append(english_date(call)).append(" (aged ").append(std::to_string(*years)).append(")");
}

// Japanese {{没年齢|1900|5|5|1950|5|4}}: "49歳没"; with the day "1950年5月4日（49歳没）".
void write_japanese_age(TemplateCall& call, std::string_view detail, std::string& out) {
  const auto years = years_between(day_of(call, 1), day_of(call, 4));
  if (!years) return;
  const std::string age = std::to_string(*years) + "歳没";
  const bool has_day = detail == "day";
  if (has_day) out.append(call.plain(4) + "年" + call.plain(5) + "月" + call.plain(6) + "日（");
  out.append(age).append(has_day ? "）" : "");
}

constexpr TemplateEntry kDateTemplates[] = {
    {"siècle, s, s-, s2, s2-, sp, sp-, s mini, s mini-, s2 mini, s2 mini-, sp mini, sp mini-, -s, -s-, -s2, -s2-, -sp, "
     "-sp-, -s mini, -s mini-",
     write_french_century,
     {},
     {},
     "fr"},
    {"siglo", write_spanish_century, {}, "2 3", "es"},
    {"fecha", write_spanish_date, {}, {}, "es"},
    {"as of, asof", write_as_of, {}, "url"},
    {"birth date, dob, death date, start date, end date, dts", write_date, {}, "mf p br"},
    {"film date", write_first_night, {}, {}, "en"},
    {"date, date-", write_french_date, "subject", "2 3 4", "fr"},
    {"date de naissance-, date de décès, date de décès-", write_french_date, {}, {}, "fr"},
    {"bio",
     write_biography,
     {},
     "immagine didascalia didascalia2 dimimmagine sesso forzaordinamento ordinamento categorie epoca epoca2 epoca3 "
     "luogonascitalink luogomortelink attività attività2 attività3 nazionalità nazionalitànaturalizzato cat",
     "it"},
    {"сс, сс2", write_typed_styles, {}, {}, "ru"},
    {"сс3", write_both_styles, {}, {}, "ru"},
    {"julgregfecha", write_spanish_styles, {}, {}, "es"},
    {"age, age in years", write_age},
    {"birth date and age, bda", write_birth_and_age, {}, "mf", "en"},
    {"age in years and days", write_years_and_days, {}, {}, "en"},
    {"age at death", write_age_at_death, {}, "mf", "en"},
    {"没年齢", write_japanese_age, {}, {}, "ja"},
    {"死亡年月日と没年齢", write_japanese_age, "day", {}, "ja"},
};

}  // namespace

std::span<const TemplateEntry> date_templates() {
  return kDateTemplates;
}

}  // namespace bertprep::clean
