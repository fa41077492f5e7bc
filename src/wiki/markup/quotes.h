// Bold and italic quotes: bold disappears, italics become double quotes.
//
// Equivalent to the reference's rules, each applied to the whole text: '''''x''''' -> x; '''x''' -> x; ''"x"'' -> "x";
// ''x'' -> "x"; ""x"" -> "x"; then ''' is removed and '' becomes ". In the third and the fifth, x has no " and may
// cross line ends; in the others it is the shortest and does not cross one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bertprep {

// A run of two or more ' and its remainder after the rules: first doubled ", then '.
struct QuoteRun {
  std::size_t begin;
  std::size_t end;
  std::size_t doubles;
  std::size_t singles;
};

class Quotes {
 public:
  // True: `out` is the new text. False: nothing changes.
  bool replace(std::string_view text, std::string& out);

 private:
  void find_runs(std::string_view text);
  bool write_runs(std::string_view text, bool is_last, std::string& out) const;
  bool replace_all(std::string_view text, std::string& out);

  std::vector<QuoteRun> runs_;
  std::string spare_;
};

}  // namespace bertprep
