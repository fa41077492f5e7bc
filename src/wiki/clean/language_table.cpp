#include "wiki/clean/language_table.h"

#include <algorithm>
#include <charconv>

#include "wiki/clean/language_tables.h"
#include "wiki/clean/markup/chars.h"

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

bool is_family(std::string_view name) {
  return name.ends_with('-') || name.ends_with('/');
}

std::string month_name(const std::string& number, std::string_view months) {
  int month = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), month);
  if (error != std::errc() || end != number.data() + number.size()) return number;
  for (; month > 1 && !months.empty(); --month) months.remove_prefix(std::min(months.find(' '), months.size() - 1) + 1);
  return month == 1 ? std::string(months.substr(0, months.find(' '))) : number;
}

class DescriptionWriter {
 public:
  DescriptionWriter(TemplateCall& call, const Description& description)
      : call_(call), text_(description.text), months_(description.months) {}

  void write(std::string& out) {
    std::string written;
    if (append(written)) out.append(written);
  }

 private:
  // Up to the end, or to a `]`. False: an argument is missing.
  bool append(std::string& out) {
    bool is_whole = true;
    while (at_ < text_.size()) {
      const char byte = text_[at_++];
      if (byte == ']') break;
      if (byte == '[') {
        std::string part;
        if (append(part)) out.append(part);
      } else if (byte == '{') {
        is_whole = append_argument(out) && is_whole;
      } else if (byte == '\\' && at_ < text_.size()) {
        // As character references, which no later stage takes for markup.
        out.append("&#").append(std::to_string(static_cast<int>(text_[at_++]))).append(";");
      } else {
        out.push_back(byte);
      }
    }
    return is_whole;
  }

  bool append_argument(std::string& out) {
    const std::size_t end = std::min(text_.find('}', at_), text_.size());
    std::string_view names = text_.substr(at_, end - at_);
    at_ = std::min(end + 1, text_.size());
    const std::size_t equals = names.find('=');
    const std::string_view otherwise = equals == names.npos ? std::string_view() : names.substr(equals + 1);
    names = names.substr(0, equals);
    const bool is_month = names.starts_with('#');
    if (is_month) names.remove_prefix(1);
    while (!names.empty()) {
      const std::size_t slash = std::min(names.find('/'), names.size());
      const std::string& text = call_.named(names.substr(0, slash));
      if (!text.empty()) {
        out.append(is_month ? month_name(text, months_) : text);
        return true;
      }
      names.remove_prefix(std::min(slash + 1, names.size()));
    }
    out.append(otherwise);
    return !otherwise.empty();
  }

  TemplateCall& call_;
  std::string_view text_;
  std::string_view months_;
  std::size_t at_ = 0;
};

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
  } else if (name == "numbers") {
    set_number_signs(value);
  } else if (name == "switches") {
    for_each_item(value, [&](std::string_view word) {
      if (normal_name(word) != word) faults_.push_back("not in small letters, with blanks: " + std::string(word));
      switches_.insert(word);
    });
  } else if (name == "units") {
    for_each_item(value, [&](std::string_view entry) { add_unit(entry); });
  } else if (name == "nothing") {
    for_each_item(value, [&](std::string_view silent) { add(silent, {}); });
  } else {
    if (value.empty()) faults_.push_back("no description: " + std::string(name));
    add(name, value);
  }
}

void LanguageTable::add(std::string_view name, std::string_view text) {
  if (name.empty() || normal_name(name) != name) {
    faults_.push_back("a name not in small letters, with blanks: " + std::string(name));
  }
  // A family is looked up by what stands before the first of these signs.
  if (is_family(name) && name.find_first_of("-/") + 1 != name.size()) {
    faults_.push_back("a family behind another hyphen or slash is never found: " + std::string(name));
  }
  if (!descriptions_.emplace(name, text).second) faults_.push_back("described twice: " + std::string(name));
}

// "km=Kilometer", "mi=Meile/Meilen" or "km=километр/километров/км".
void LanguageTable::add_unit(std::string_view entry) {
  const std::size_t sign = entry.find('=');
  std::string_view names = entry.substr(std::min(sign, entry.size() - 1) + 1);
  const auto take = [&] {
    const std::size_t slash = std::min(names.find('/'), names.size());
    const std::string_view part = names.substr(0, slash);
    names.remove_prefix(std::min(slash + 1, names.size()));
    return part;
  };
  UnitName name;
  name.singular = take();
  name.plural = names.empty() ? name.singular : take();
  name.symbol = take();
  if (sign == entry.npos || name.singular.empty() || name.plural.empty() || !names.empty()) {
    faults_.push_back("not code=singular/plural/symbol: " + std::string(entry));
  } else if (!units_.emplace(entry.substr(0, sign), name).second) {
    faults_.push_back("named twice: " + std::string(entry));
  }
}

// "1.234,5"; "1234,5" where thousands are not parted.
void LanguageTable::set_number_signs(std::string_view sample) {
  const std::size_t two = sample.find('2');
  const std::size_t four = sample.find('4');
  if (two == sample.npos || four == sample.npos || two > four || !sample.starts_with('1') || !sample.ends_with('5')) {
    faults_.push_back("not 1,234.5 in the way of the language: " + std::string(sample));
    return;
  }
  signs_ = {sample.substr(1, two - 1), sample.substr(four + 1, sample.size() - four - 2)};
}

// "link-" stands for link-en, link-de and so on.
std::optional<Description> LanguageTable::find(std::string_view name) const {
  if (descriptions_.empty()) return std::nullopt;
  auto found = descriptions_.find(name);
  const std::size_t family = found == descriptions_.end() ? name.find_first_of("-/") : name.npos;
  if (family != name.npos && family != 0) found = descriptions_.find(name.substr(0, family + 1));
  if (found == descriptions_.end()) return std::nullopt;
  return Description{found->second, months_};
}

const UnitName* LanguageTable::find_unit(std::string_view code) const {
  const auto found = units_.find(code);
  return found == units_.end() ? nullptr : &found->second;
}

const LanguageTable& language_table(std::string_view language) {
  using Tables = std::unordered_map<std::string_view, LanguageTable>;
  static const Tables kTables = [] {
    Tables tables;
    for (const auto& [name, file] : kLanguageFiles) tables.emplace(name, file);
    return tables;
  }();
  static const LanguageTable kNone;
  const auto found = kTables.find(language);
  return found == kTables.end() ? kNone : found->second;
}

void write_description(TemplateCall& call, const Description& description, std::string& out) {
  DescriptionWriter(call, description).write(out);
}

}  // namespace bertprep::clean
