// What is particular to one language's Wikipedia, as languages/*.txt say it (docs/formats/clean-text.md).
#pragma once

#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "wiki/clean/measure.h"

namespace bertprep::clean {

struct Description {
  std::string_view text;   // "{1} h[ {2}]"; empty: the template shows nothing
  std::string_view alike;  // the template that every wiki has and that this one is like; empty: none
};

struct UnitName {
  std::string singular;
  std::string plural;
  std::string symbol;  // empty: the international one
};

class LanguageTable {
 public:
  LanguageTable() = default;
  // Keeps views of `file`.
  explicit LanguageTable(std::string_view file);

  // Nothing when the table does not have the template. `name` in its normal form.
  std::optional<Description> find(std::string_view name) const;
  // Of a name that the table writes with capitals, as "USA" and "enS"; `name` as page_name() gives it.
  std::optional<Description> find_written(std::string_view name) const;
  // All names with their descriptions, in no order.
  std::vector<std::pair<std::string_view, Description>> descriptions() const;
  // The templates that lines such as "like chem: fchim" name.
  const std::vector<std::string_view>& models() const { return models_; }
  // Of a unit's code; null when it has no name here.
  const UnitName* find_unit(std::string_view code) const;
  // Null when the table does not say.
  const NumberSigns* number_signs() const { return signs_ ? &*signs_ : nullptr; }
  // The name of "1" to "12", "01" too; `month` unchanged if it is not one of them or the table has no names.
  std::string_view month_name(std::string_view month) const;
  // "{day} de {month} de {year}". A missing part is left out with the text up to the next part.
  std::string_view date_form() const { return date_form_; }
  // What stands for "to", "and", "or" and "by" between numbers; empty when the table does not say.
  std::string_view range_word(std::string_view english) const { return word("ranges", english); }
  // Text in the language with that code, named as readers of this wiki see it: "en anglais : Paris"; `text` alone for a
  // language without a name here.
  std::string named_language(std::string_view code, std::string_view text) const;

  // Whether the line `list` has `word`, in its normal form: "switches" those such as __NOTOC__; in common_table() those
  // of kLists, for all wikis.
  bool lists(std::string_view list, std::string_view word) const;
  bool has_list(std::string_view list) const { return lists_.contains(list); }
  // What the line `list` ("names of variants", ...) has for `key`; empty when it has nothing.
  std::string_view word(std::string_view list, std::string_view key) const;

  // Lines that can have no effect, or not the one that was meant, in words.
  const std::vector<std::string>& faults() const { return faults_; }

 private:
  void take_line(std::string_view name, std::string_view value);
  void add(std::string_view name, std::string_view text, std::string_view alike = {});
  void add_unit(std::string_view entry);
  void add_word(std::string_view list, std::string_view entry);
  void set_number_signs(std::string_view sample);
  void note_fault(std::string_view what, std::string_view where);

  std::unordered_map<std::string_view, Description> descriptions_;
  std::unordered_map<std::string, Description> written_;  // by page_name()
  std::unordered_map<std::string_view, UnitName> units_;
  std::unordered_map<std::string_view, std::unordered_set<std::string_view>> lists_;  // by the line's name
  std::vector<std::string_view> models_;
  std::unordered_map<std::string_view, std::unordered_map<std::string_view, std::string_view>> words_;  // likewise
  std::string_view language_phrase_;  // "en {language} : {text}"
  std::string_view months_;
  std::string_view date_form_ = "{day} {month} {year}";
  std::optional<NumberSigns> signs_;
  bool has_word_families_ = false;
  std::vector<std::string> faults_;
};

// The files: the language and its text.
std::span<const std::pair<std::string_view, std::string_view>> language_files();

// The SHA-256 of all files, of units.txt and of markup/formula_signs.txt: text depends on them.
std::string_view language_files_sha256();

// Of "fr" and so on; an empty one when there is no file. The Simple English Wikipedia's is the English one.
const LanguageTable& language_table(std::string_view language);

// Of the templates that mean the same in every language, unless the language's own table has them.
const LanguageTable& common_table();

}  // namespace bertprep::clean
