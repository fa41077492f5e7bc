#include "wiki/clean/ranges.h"

#include "wiki/clean/language_table.h"
#include "wiki/clean/markup/chars.h"

namespace bertprep::clean {
namespace {

// A sign where the language has no word here.
std::string translated(std::string_view english, const LanguageTable* table) {
  if (table == nullptr) return " " + std::string(english) + " ";
  const std::string_view own = table->range_word(english);
  if (own.empty()) return english == "to" ? "–" : english == "by" ? " × " : english == "or" ? " / " : ", ";
  return is_wide(own.front()) ? std::string(own) : " " + std::string(own) + " ";
}

}  // namespace

std::optional<std::string> range_text(std::string_view word, bool is_short, const LanguageTable* table) {
  const std::string name = normal_name(word);
  if (name == "-" || name == "–" || name == "to(-)" || name == "to-") return "–";
  if (name == "x" || name == "×" || name == "by" || name == "*" || name == "xx") {
    return is_short ? " × " : translated("by", table);
  }
  if (name == "to" || name == "and" || name == "or") return translated(name, table);
  if (name == "and(-)") return translated("and", table);
  if (name == "to about") return table == nullptr ? " to about " : translated("to", table);
  if (name == "+/-" || name == "±" || name == "+") return name == "+" ? " + " : " ± ";
  if (name == ",") return ", ";
  if (name == ", and" || name == ", or") {
    const bool has_word = table == nullptr || !table->range_word(name.substr(2)).empty();
    return has_word ? "," + translated(name.substr(2), table) : ", ";
  }
  return std::nullopt;
}

}  // namespace bertprep::clean
