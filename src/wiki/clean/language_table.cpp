#include "wiki/clean/language_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "wiki/clean/language_tables.h"
#include "wiki/clean/markup/chars.h"
#include "wiki/clean/units.h"

namespace bertprep::clean {
namespace {

// Calls take(item) for each item of "a, b, c".
template <typename Take>
void for_each_item(std::string_view list, Take take) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(", "), list.size());
    take(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 2, list.size()));
  }
}

constexpr std::array<std::string_view, 4> kLists = {"switches", "redirects", "disambiguations",
                                                    "disambiguation titles"};
constexpr std::string_view kAnyWord = "* ";
constexpr std::string_view kLike = "like ";
constexpr std::string_view kLanguage = "{language}";
constexpr std::string_view kText = "{text}";

// "* siècle", "cite *": of all names with this last or first word.
bool is_word_family(std::string_view name) {
  return name.starts_with(kAnyWord) || name.ends_with(" *");
}

bool is_family(std::string_view name) {
  return name.ends_with('-') || name.ends_with('/');
}

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
    const std::size_t end = std::min(file.find('\n'), file.size());
    const std::string_view line = file.substr(0, end);
    const std::size_t colon = line.find(": ");
    if (colon != std::string_view::npos && !line.starts_with('#')) {
      take_line(line.substr(0, colon), line.substr(colon + 2));
    } else if (!line.empty() && !line.starts_with('#')) {
      faults_.push_back("no name and description: " + std::string(line));
    }
    file.remove_prefix(std::min(end + 1, file.size()));
  }
}

void LanguageTable::take_line(std::string_view name, std::string_view value) {
  if (name == "months") {
    months_ = value;
  } else if (name == "dates") {
    date_form_ = value;
    for (const std::string_view part : {"{day}", "{month}", "{year}"}) {
      if (value.find(part) == value.npos)
        faults_.push_back("not with {day}, {month} and {year}: " + std::string(value));
    }
  } else if (name == "numbers") {
    set_number_signs(value);
  } else if (std::ranges::find(kLists, name) != kLists.end()) {
    for_each_item(value, [&](std::string_view word) {
      if (normal_name(word) != word) faults_.push_back("not in small letters, with blanks: " + std::string(word));
      if (!lists_[name].insert(word).second) faults_.push_back("listed twice: " + std::string(word));
    });
  } else if (name == "units") {
    for_each_item(value, [&](std::string_view entry) { add_unit(entry); });
  } else if (name == "names") {
    for_each_item(value, [&](std::string_view entry) { add_name(entry); });
  } else if (name == "languages") {
    for_each_item(value, [&](std::string_view entry) { add_language(entry); });
  } else if (name == "language phrase") {
    language_phrase_ = value;
    if (value.find(kLanguage) == value.npos || value.find(kText) == value.npos) {
      faults_.push_back("not with {language} and {text}: " + std::string(value));
    }
  } else if (name == "ranges") {
    for_each_item(value, [&](std::string_view entry) { add_range(entry); });
  } else if (name == "nothing") {
    for_each_item(value, [&](std::string_view silent) { add(silent, {}); });
  } else if (name == "wrappers") {
    for_each_item(value, [&](std::string_view wrapper) { add(wrapper, "[{1}]"); });
  } else if (name == "as named") {
    for_each_item(value, [&](std::string_view named) { add(named, "{0}[ {1}]"); });
  } else if (name.starts_with(kLike)) {
    models_.push_back(name.substr(kLike.size()));
    for_each_item(value, [&](std::string_view alike) { add(alike, {}, models_.back()); });
  } else {
    if (value.empty()) faults_.push_back("no description: " + std::string(name));
    add(name, value);
  }
}

void LanguageTable::add(std::string_view name, std::string_view text, std::string_view alike) {
  const std::string small = normal_name(name);
  if (std::string written = page_name(name); !small.empty() && written != small) {
    if (!written_.emplace(std::move(written), Description{text, alike}).second)
      faults_.push_back("described twice: " + std::string(name));
    return;
  }
  if (name.empty() || small != name) {
    faults_.push_back("a name not in small letters, with blanks: " + std::string(name));
  }
  // A family is looked up by what stands before the first of these signs.
  if (is_family(name) && name.find_first_of("-/") + 1 != name.size()) {
    faults_.push_back("a family behind another hyphen or slash is never found: " + std::string(name));
  }
  if (is_word_family(name)) {
    has_word_families_ = true;
    const std::string_view word = name.starts_with(kAnyWord) ? name.substr(2) : name.substr(0, name.size() - 2);
    if (word.find(' ') != word.npos || word.empty()) {
      faults_.push_back("a family has one word, at the beginning or the end: " + std::string(name));
    }
  }
  if (!descriptions_.emplace(name, Description{text, alike}).second)
    faults_.push_back("described twice: " + std::string(name));
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
    faults_.push_back("not code=singular/plural/symbol: " + std::string(entry));
  } else if (unit == nullptr) {
    faults_.push_back("no unit of convert: " + std::string(entry));
  } else if (!units_.emplace(unit->code, std::move(name)).second) {
    faults_.push_back("named twice: " + std::string(entry));
  }
}

// "usa=États-Unis"
void LanguageTable::add_name(std::string_view entry) {
  const std::size_t sign = entry.find('=');
  if (sign == entry.npos || sign + 1 == entry.size()) {
    faults_.push_back("not template=text: " + std::string(entry));
  } else {
    add(entry.substr(0, sign), entry.substr(sign + 1));
  }
}

// "en=anglais"
void LanguageTable::add_language(std::string_view entry) {
  const std::size_t sign = entry.find('=');
  if (sign == entry.npos || sign == 0 || sign + 1 == entry.size()) {
    faults_.push_back("not code=language: " + std::string(entry));
  } else if (!languages_.emplace(entry.substr(0, sign), entry.substr(sign + 1)).second) {
    faults_.push_back("named twice: " + std::string(entry));
  }
}

// "to=à"
void LanguageTable::add_range(std::string_view entry) {
  const std::size_t sign = entry.find('=');
  const std::string_view english = entry.substr(0, sign);
  const bool is_known = english == "to" || english == "and" || english == "or" || english == "by";
  if (!is_known || sign == entry.npos || sign + 1 == entry.size()) {
    faults_.push_back("not to=word, and=word, or=word or by=word: " + std::string(entry));
    return;
  }
  ranges_.emplace_back(english, entry.substr(sign + 1));
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
  if (!is_sample) {
    faults_.push_back("not 1,234.5 or 12,345.6 in the way of the language: " + std::string(sample));
    return;
  }
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
  if (found == descriptions_.end()) return std::nullopt;
  return found->second;
}

std::optional<Description> LanguageTable::find_written(std::string_view name) const {
  if (written_.empty()) return std::nullopt;
  const auto found = written_.find(std::string(name));
  if (found == written_.end()) return std::nullopt;
  return found->second;
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
  int number = 0;
  const auto [end, error] = std::from_chars(month.data(), month.data() + month.size(), number);
  const bool is_number = error == std::errc() && end == month.data() + month.size() && number >= 1;
  std::string_view names = months_;
  for (; is_number && number > 1 && !names.empty(); --number) {
    names.remove_prefix(std::min(names.find(' '), names.size() - 1) + 1);
  }
  return is_number && !names.empty() ? names.substr(0, names.find(' ')) : month;
}

bool LanguageTable::lists(std::string_view list, std::string_view word) const {
  const auto found = lists_.find(list);
  return found != lists_.end() && found->second.contains(word);
}

std::string_view LanguageTable::range_word(std::string_view english) const {
  for (const auto& [name, word] : ranges_) {
    if (name == english) return word;
  }
  return {};
}

std::string LanguageTable::named_language(std::string_view code, std::string_view text) const {
  auto found = languages_.find(code);
  if (found == languages_.end()) found = languages_.find(language_of(code));
  if (found == languages_.end() || language_phrase_.empty()) return std::string(text);
  std::string phrase(language_phrase_);
  replace_all(phrase, kLanguage, found->second);
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
