#include <algorithm>
#include <array>
#include <utility>

#include "wiki/clean/language_table.h"
#include "wiki/clean/markup/chars.h"
#include "wiki/clean/templates.h"

namespace bertprep::clean {
namespace {

// {{séc|XIII}}
void write_century(TemplateCall& call, std::string_view detail, std::string& out) {
  if (!call.at(1).empty()) out.append(detail).append(" ").append(call.at(1));
}

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

bool is_roman(std::string_view text) {
  return !text.empty() && text.find_first_not_of("IVXL") == text.npos;
}

bool is_ordinal_ending(std::string_view text) {
  return text == "e" || text == "er" || text == "ère" || text == "ème" || text == "eme";
}

// {{s-|XIX|e}}: "XIXe siècle"; {{s2|III|e|IX|e}}: "IIIe et IXe siècles"; {{sp-|XII|e|et au|XVI|e}}: "XIIe et au XVIe
// siècle"; {{-s|V}}: "Ve siècle av. J.-C.". `detail` has "2" for two centuries, "-" for those before Christ, "m"
// without the word for century.
void write_french_century(TemplateCall& call, std::string_view detail, std::string& out) {
  std::string text;
  std::size_t centuries = 0;
  bool is_plural = detail.find('2') != detail.npos;
  for (std::size_t number = 1; number <= std::min<std::size_t>(call.count(), 9); ++number) {
    const std::string part = call.plain(number);
    if (part.empty() || is_ordinal_ending(part)) continue;
    if (part == "s") {
      is_plural = true;
      continue;
    }
    const bool is_century = is_roman(part) || is_ascii_digit(part[0]);
    if (!text.empty()) text.append(is_century && centuries == 1 && detail.find('2') != detail.npos ? " et " : " ");
    text.append(part);
    if (is_century) text.append(part == "I" || part == "1" ? "er" : "e");
    centuries += is_century ? 1 : 0;
  }
  if (centuries == 0) return;
  out.append(text);
  if (detail.find('m') == detail.npos) out.append(is_plural ? " siècles" : " siècle");
  if (detail.find('-') != detail.npos) out.append(" av. J.-C.");
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
    const bool is_small = call.named("lc") == "y" || call.named("lc") == "yes" || call.named("lc") == "on";
    out.append(is_since ? (is_small ? "since" : "Since") : (is_small ? "as of" : "As of")).push_back(' ');
    if (!call.named("pre").empty()) out.append(call.named("pre")).push_back(' ');
  }
  out.append(date);
  if (!call.named("post").empty()) out.append(call.named("post"));
}

// {{birth date|1879|3|14}}
void write_date(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  if (!call.is_english()) {
    out.append(date_elsewhere(call));
    return;
  }
  const bool is_day_first = call.named("df") == "y" || call.named("df") == "yes";
  out.append(written_date(call.plain(1), call.plain(2), call.plain(3), !is_day_first));
}

// {{film date|1950|6|6|London}}: "June 6, 1950 (London)"
void write_first_night(TemplateCall& call, std::string_view detail, std::string& out) {
  write_date(call, detail, out);
  if (!call.at(4).empty()) out.append(" (").append(call.at(4)).append(")");
}

// "2018-03-12" in words: "12 mars 2018". Empty for any other text.
std::string date_in_words(std::string_view text, TemplateCall& call) {
  const bool is_date = text.size() == 10 && text[4] == '-' && text[7] == '-' && !has_letter(text);
  if (!is_date) return {};
  const std::string_view day = text.substr(text[8] == '0' ? 9 : 8);
  const std::string_view month = call.table().month_name(text.substr(5, 2));
  if (!has_letter(month)) return {};
  return std::string(day == "1" && call.language() == "fr" ? "1er" : day)
      .append(" ")
      .append(month)
      .append(" ")
      .append(text.substr(0, 4));
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
  std::string_view between;
  for (const std::string& part : parts) {
    if (part.empty()) continue;
    out.append(between).append(part);
    between = " de ";
  }
}

constexpr std::array kDateTemplates = std::to_array<TemplateEntry>({
    {"siècle", write_french_century, {}, {}, "fr"},
    {"s", write_french_century, {}, {}, "fr"},
    {"s-", write_french_century, {}, {}, "fr"},
    {"s2", write_french_century, "2", {}, "fr"},
    {"s2-", write_french_century, "2", {}, "fr"},
    {"sp", write_french_century, {}, {}, "fr"},
    {"sp-", write_french_century, {}, {}, "fr"},
    {"s mini", write_french_century, "m", {}, "fr"},
    {"s mini-", write_french_century, "m", {}, "fr"},
    {"s2 mini", write_french_century, "2m", {}, "fr"},
    {"s2 mini-", write_french_century, "2m", {}, "fr"},
    {"sp mini", write_french_century, "m", {}, "fr"},
    {"sp mini-", write_french_century, "m", {}, "fr"},
    {"-s", write_french_century, "-", {}, "fr"},
    {"-s-", write_french_century, "-", {}, "fr"},
    {"-s2", write_french_century, "-2", {}, "fr"},
    {"-s2-", write_french_century, "-2", {}, "fr"},
    {"-sp", write_french_century, "-", {}, "fr"},
    {"-sp-", write_french_century, "-", {}, "fr"},
    {"-s mini", write_french_century, "-m", {}, "fr"},
    {"-s mini-", write_french_century, "-m", {}, "fr"},
    {"siglo", write_spanish_century, {}, "2 3", "es"},
    {"fecha", write_spanish_date, {}, {}, "es"},
    {"séc", write_century, "século", {}, "pt"},
    {"as of", write_as_of, {}, "url"},
    {"asof", write_as_of, {}, "url"},
    {"birth date", write_date, {}, "mf p br"},
    {"dob", write_date, {}, "mf p br"},
    {"death date", write_date, {}, "mf p br"},
    {"start date", write_date, {}, "mf p br"},
    {"end date", write_date, {}, "mf p br"},
    {"film date", write_first_night, {}, {}, "en"},
    {"dts", write_date, {}, "mf p br"},
    {"date", write_french_date, "subject", "2 3 4", "fr"},
    {"date-", write_french_date, "subject", "2 3 4", "fr"},
    {"date de naissance-", write_french_date, {}, {}, "fr"},
    {"date de décès", write_french_date, {}, {}, "fr"},
    {"date de décès-", write_french_date, {}, {}, "fr"},
});

}  // namespace

std::span<const TemplateEntry> date_templates() {
  return kDateTemplates;
}

}  // namespace bertprep::clean
