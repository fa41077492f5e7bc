#include "wiki/clean/language_table.h"

#include <algorithm>
#include <iterator>

#include "wiki/clean/language_tables.h"
#include "wiki/clean/markup/chars.h"

namespace bertprep::clean {
namespace {

// Lines with words in their normal form, and those of keys and their words.
constexpr std::string_view kLists[] = {"switches",         "redirects",     "disambiguations", "disambiguation titles",
                                       "file prefixes",    "wiki prefixes", "site prefixes",   "language prefixes",
                                       "silent functions", "lost functions"};
constexpr std::string_view kVariants = "variants of ";
constexpr std::string_view kWords[] = {"names", "languages", "ranges", "names of variants"};

// Lines with templates that one description is for.
constexpr std::pair<std::string_view, std::string_view> kDescribed[] = {
    {"nothing", ""}, {"texts", "{1}"}, {"wrappers", "[{1}]"}, {"as named", "{0}[ {1}]"}};

constexpr std::string_view kAnyWord = "* ";
constexpr std::string_view kLike = "like ";
constexpr std::string_view kLanguage = "{language}";
constexpr std::string_view kText = "{text}";

// Of a code that names a script or country, too, the language: "sr" of "sr-latn", "en" of "en-gb".
std::string_view language_of(std::string_view code) {
  const std::size_t hyphen = std::min(code.find('-'), code.size());
  const std::size_t length = code.size() - hyphen;
  return length == 3 || length == 5 ? code.substr(0, hyphen) : code;
}

}  // namespace

std::span<const std::pair<std::string_view, std::string_view>> language_files() {
  return kLanguageFiles;
}

LanguageTable::LanguageTable(std::string_view file) {
  while (!file.empty()) {
    const std::string_view line = take_part(file, '\n');
    const std::size_t colon = line.find(": ");
    if (colon != std::string_view::npos && !line.starts_with('#')) {
      take_line(line.substr(0, colon), line.substr(colon + 2));
    } else if (!line.empty() && !line.starts_with('#')) {
      note_fault("no name and description", line);
    }
  }
}

void LanguageTable::take_line(std::string_view name, std::string_view value) {
  const auto for_each = [&](const auto& take) { for_each_item(value, ", ", take); };
  const auto* const described =
      std::ranges::find(kDescribed, name, &std::pair<std::string_view, std::string_view>::first);
  if (name == "months") {
    months_ = value;
  } else if (name == "dates") {
    date_form_ = value;
    for (const std::string_view part : {"{day}", "{month}", "{year}"}) {
      if (value.find(part) == value.npos) note_fault("not with {day}, {month} and {year}", value);
    }
  } else if (name == "numbers") {
    set_number_signs(value);
  } else if (name == "language phrase") {
    language_phrase_ = value;
    const bool is_whole = value.find(kLanguage) != value.npos && value.find(kText) != value.npos;
    if (!is_whole) note_fault("not with {language} and {text}", value);
  } else if (name == "units") {
    for_each([&](std::string_view entry) { add_unit(entry); });
  } else if (std::ranges::find(kLists, name) != std::end(kLists) || name.starts_with(kVariants)) {
    for_each([&](std::string_view word) {
      if (normal_name(word) != word) note_fault("not in small letters, with blanks", word);
      if (!lists_[name].insert(word).second) note_fault("listed twice", word);
    });
  } else if (std::ranges::find(kWords, name) != std::end(kWords)) {
    for_each([&](std::string_view entry) { add_word(name, entry); });
  } else if (described != std::end(kDescribed)) {
    for_each([&](std::string_view one) { add(one, described->second); });
  } else if (name.starts_with(kLike)) {
    models_.push_back(name.substr(kLike.size()));
    for_each([&](std::string_view alike) { add(alike, {}, models_.back()); });
  } else {
    if (value.empty()) note_fault("no description", name);
    add(name, value);
  }
}

void LanguageTable::note_fault(std::string_view what, std::string_view where) {
  faults_.push_back(std::string(what).append(": ").append(where));
}

void LanguageTable::add(std::string_view name, std::string_view text, std::string_view alike) {
  const std::string small = normal_name(name);
  if (std::string written = page_name(name); !small.empty() && written != small) {
    if (!written_.emplace(std::move(written), Description{text, alike}).second) note_fault("described twice", name);
    return;
  }
  if (name.empty() || small != name) note_fault("a name not in small letters, with blanks", name);
  // A family is looked up by what stands before the first of these signs.
  const bool is_family = name.ends_with('-') || name.ends_with('/');
  if (is_family && name.find_first_of("-/") + 1 != name.size())
    note_fault("a family behind another hyphen or slash is never found", name);
  // "* siècle", "cite *": of all names with this last or first word.
  if (name.starts_with(kAnyWord) || name.ends_with(" *")) {
    has_word_families_ = true;
    const std::string_view word = name.starts_with(kAnyWord) ? name.substr(2) : name.substr(0, name.size() - 2);
    if (word.find(' ') != word.npos || word.empty())
      note_fault("a family has one word, at the beginning or the end", name);
  }
  if (!descriptions_.emplace(name, Description{text, alike}).second) note_fault("described twice", name);
}

// "km=Kilometer", "mi=Meile/Meilen", "km=километр/километров/км" or "mph=…/…/mi\\/h".
void LanguageTable::add_unit(std::string_view entry) {
  const std::size_t sign = entry.find('=');
  std::string_view names = entry.substr(std::min(sign, entry.size() - 1) + 1);
  const auto take = [&] {
    std::string part;
    for (; !names.empty() && names.front() != '/'; names.remove_prefix(1)) {
      if (names.starts_with("\\/")) names.remove_prefix(1);
      part.push_back(names.front());
    }
    names.remove_prefix(names.empty() ? 0 : 1);
    return part;
  };
  UnitName name;
  name.singular = take();
  name.plural = names.empty() ? name.singular : take();
  name.symbol = take();
  const Unit* unit = clean::find_unit(entry.substr(0, sign));
  if (sign == entry.npos || name.singular.empty() || name.plural.empty() || !names.empty()) {
    note_fault("not code=singular/plural/symbol", entry);
  } else if (unit == nullptr) {
    note_fault("no unit of convert", entry);
  } else if (!units_.emplace(unit->code, std::move(name)).second) {
    note_fault("named twice", entry);
  }
}

// "usa=États-Unis", "en=anglais", "to=à"
void LanguageTable::add_word(std::string_view list, std::string_view entry) {
  const std::size_t sign = entry.find('=');
  const std::string_view key = entry.substr(0, sign);
  const bool is_known = list != "ranges" || has_word("to and or by", key);
  if (!is_known || key.empty() || sign == entry.npos || sign + 1 == entry.size()) {
    note_fault(is_known ? "not name=text" : "not to=word, and=word, or=word or by=word", entry);
  } else if (list == "names") {
    add(key, entry.substr(sign + 1));
  } else if (!words_[list].emplace(key, entry.substr(sign + 1)).second) {
    note_fault("named twice", entry);
  }
}

// "1.234,5"; "12 345,6" where numbers of four digits are not grouped, "1234,5" where none are.
void LanguageTable::set_number_signs(std::string_view sample) {
  const bool has_five = sample.starts_with("12") && sample.ends_with('6');
  const std::string_view head = has_five ? "12" : "1";
  const char first_of_group = has_five ? '3' : '2';
  const char last_of_group = has_five ? '5' : '4';
  const std::size_t begin = sample.find(first_of_group);
  const std::size_t end = sample.find(last_of_group);
  const bool is_sample = sample.starts_with(head) && begin != sample.npos && end != sample.npos && begin < end &&
                         end + 2 < sample.size() && sample.back() == last_of_group + 1;
  if (!is_sample) return note_fault("not 1,234.5 or 12,345.6 in the way of the language", sample);
  signs_ = {sample.substr(head.size(), begin - head.size()), sample.substr(end + 1, sample.size() - end - 2),
            has_five ? std::size_t{5} : std::size_t{4}};
}

// "link-" stands for link-en, link-de and so on; "* siècle" for Ier siècle, IIe siècle.
std::optional<Description> LanguageTable::find(std::string_view name) const {
  if (descriptions_.empty()) return std::nullopt;
  auto found = descriptions_.find(name);
  const std::size_t family = found == descriptions_.end() ? name.find_first_of("-/") : name.npos;
  if (family != name.npos && family != 0) found = descriptions_.find(name.substr(0, family + 1));
  if (found == descriptions_.end() && has_word_families_) {
    const std::size_t last = name.rfind(' ');
    if (last != name.npos) {
      found = descriptions_.find(std::string(kAnyWord).append(name.substr(last + 1)));
      if (found == descriptions_.end()) found = descriptions_.find(std::string(name.substr(0, name.find(' '))) + " *");
    }
  }
  return found == descriptions_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Description> LanguageTable::find_written(std::string_view name) const {
  if (written_.empty()) return std::nullopt;
  const auto found = written_.find(std::string(name));
  return found == written_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::pair<std::string_view, Description>> LanguageTable::descriptions() const {
  std::vector<std::pair<std::string_view, Description>> all(descriptions_.begin(), descriptions_.end());
  all.insert(all.end(), written_.begin(), written_.end());
  return all;
}

const UnitName* LanguageTable::find_unit(std::string_view code) const {
  const auto found = units_.find(code);
  return found == units_.end() ? nullptr : &found->second;
}

std::string_view LanguageTable::month_name(std::string_view month) const {
  int number = whole_number(month).value_or(0);
  if (number < 1 || months_.empty()) return month;
  std::string_view names = months_;
  for (; number > 1 && !names.empty(); --number) {
    names.remove_prefix(std::min(names.find(' '), names.size() - 1) + 1);
  }
  return names.empty() ? month : names.substr(0, names.find(' '));
}

bool LanguageTable::lists(std::string_view list, std::string_view word) const {
  const auto found = lists_.find(list);
  return found != lists_.end() && found->second.contains(word);
}

std::string_view LanguageTable::word(std::string_view list, std::string_view key) const {
  const auto words = words_.find(list);
  if (words == words_.end()) return {};
  const auto found = words->second.find(key);
  return found == words->second.end() ? std::string_view() : found->second;
}

std::string LanguageTable::named_language(std::string_view code, std::string_view text) const {
  std::string_view language = word("languages", code);
  if (language.empty()) language = word("languages", language_of(code));
  if (language.empty() || language_phrase_.empty()) return std::string(text);
  std::string phrase(language_phrase_);
  replace_all(phrase, kLanguage, language);
  replace_all(phrase, kText, text);
  return phrase;
}

std::string_view language_files_sha256() {
  return kLanguageFilesSha256;
}

const LanguageTable& language_table(std::string_view language) {
  using Tables = std::unordered_map<std::string_view, LanguageTable>;
  static const Tables kTables = [] {
    Tables tables;
    for (const auto& [name, file] : kLanguageFiles) tables.emplace(name, file);
    return tables;
  }();
  static const LanguageTable kNone;
  const auto found = kTables.find(language == "simple" ? "en" : language);
  return found == kTables.end() ? kNone : found->second;
}

const LanguageTable& common_table() {
  static const LanguageTable& kCommon = language_table("common");
  return kCommon;
}

}  // namespace bertprep::clean
