// What is particular to one language's Wikipedia, as languages/*.txt say it (docs/formats/clean-text.md).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "wiki/clean/templates.h"

namespace bertprep::clean {

struct Description {
  std::string_view text;    // "{1} h[ {2}]"; empty: the template shows nothing
  std::string_view months;  // for {#2}, parted by blanks
};

// How numbers are written: "1.234,5" has "." and ",".
struct NumberSigns {
  std::string_view group = ",";
  std::string_view point = ".";
};

struct UnitName {
  std::string_view singular;
  std::string_view plural;
  std::string_view symbol;  // empty: the international one
};

class LanguageTable {
 public:
  LanguageTable() = default;
  // Keeps views of `file`.
  explicit LanguageTable(std::string_view file);

  // Nothing when the table does not have the template. `name` in its normal form.
  std::optional<Description> find(std::string_view name) const;
  // Of a unit's code; null when it has no name here.
  const UnitName* find_unit(std::string_view code) const;
  const NumberSigns& number_signs() const { return signs_; }

  // Whether __WORD__ is a switch, such as "notoc"; `word` in its normal form.
  bool has_switch(std::string_view word) const { return switches_.contains(word); }
  bool knows_switches() const { return !switches_.empty(); }

  // Lines that can have no effect, or not the one that was meant, in words.
  const std::vector<std::string>& faults() const { return faults_; }

 private:
  void take_line(std::string_view name, std::string_view value);
  void add(std::string_view name, std::string_view text);
  void add_unit(std::string_view entry);
  void set_number_signs(std::string_view sample);

  std::unordered_map<std::string_view, std::string_view> descriptions_;
  std::unordered_map<std::string_view, UnitName> units_;
  std::unordered_set<std::string_view> switches_;
  std::string_view months_;
  NumberSigns signs_;
  std::vector<std::string> faults_;
};

// The files: the language and its text.
std::span<const std::pair<std::string_view, std::string_view>> language_files();

// Of "fr" and so on; an empty one when there is no file.
const LanguageTable& language_table(std::string_view language);

// Appends what a reader sees of the call: nothing when it lacks an argument that is not optional.
void write_description(TemplateCall& call, const Description& description, std::string& out);

}  // namespace bertprep::clean
