#include "wiki/clean/language_table.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "wiki/clean/chars.h"
#include "wiki/clean/language_tables.h"

namespace bertprep::clean {
namespace {

constexpr std::string_view kMonths = "months";
constexpr std::string_view kNothing = "nothing";  // names of templates that show nothing

using Descriptions = std::unordered_map<std::string_view, std::string_view>;

void add_silent(std::string_view names, Descriptions& descriptions) {
  while (!names.empty()) {
    const std::size_t comma = std::min(names.find(", "), names.size());
    descriptions.emplace(names.substr(0, comma), std::string_view());
    names.remove_prefix(std::min(comma + 2, names.size()));
  }
}

Descriptions read_descriptions(std::string_view file) {
  Descriptions descriptions;
  while (!file.empty()) {
    const std::size_t end = std::min(file.find('\n'), file.size());
    const std::string_view line = file.substr(0, end);
    const std::size_t colon = line.find(": ");
    if (line.starts_with('#') || colon == std::string_view::npos) {
      // A remark.
    } else if (line.substr(0, colon) == kNothing) {
      add_silent(line.substr(colon + 2), descriptions);
    } else {
      descriptions.emplace(line.substr(0, colon), line.substr(colon + 2));
    }
    file.remove_prefix(std::min(end + 1, file.size()));
  }
  return descriptions;
}

const Descriptions* descriptions_of(std::string_view language) {
  using Tables = std::unordered_map<std::string_view, Descriptions>;
  static const Tables kTables = [] {
    Tables tables;
    for (const auto& [name, file] : kLanguageFiles) tables.emplace(name, read_descriptions(file));
    return tables;
  }();
  const auto found = kTables.find(language);
  return found == kTables.end() ? nullptr : &found->second;
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

std::optional<Description> find_description(std::string_view language, std::string_view name) {
  const Descriptions* descriptions = descriptions_of(language);
  if (descriptions == nullptr || name == kMonths) return std::nullopt;
  // "link-" stands for link-en, link-de and so on.
  const std::size_t family = name.find_first_of("-/");
  auto found = descriptions->find(name);
  if (found == descriptions->end() && family != name.npos) found = descriptions->find(name.substr(0, family + 1));
  if (found == descriptions->end()) return std::nullopt;
  const auto months = descriptions->find(kMonths);
  return Description{found->second, months == descriptions->end() ? std::string_view() : months->second};
}

void write_description(TemplateCall& call, const Description& description, std::string& out) {
  DescriptionWriter(call, description).write(out);
}

}  // namespace bertprep::clean
