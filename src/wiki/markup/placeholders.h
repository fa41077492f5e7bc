// Formulas and code: <math>...</math> -> formula_1, <code>...</code> -> codice_1.
#pragma once

#include <map>

#include "wiki/markup/edits.h"
#include "wiki/markup/elements.h"

namespace bertprep {

class Placeholders {
 public:
  // First all <math>, then all <code>. The number is that of the element in the text, and all text equal to that of an
  // element gets the number of the first. kChanged: `out` is the new text. kGivenUp: elements are nested so deeply that
  // numbering them takes more than kWorkPerByte steps per byte.
  Rewrite replace(std::string_view text, std::string& out);

  static constexpr std::size_t kWorkPerByte = 64;

 private:
  // An element's text -> the number of the first one with that text.
  using Numbers = std::map<std::string_view, std::size_t>;

  Rewrite replace_element(std::string_view text, std::string_view element, std::string_view placeholder,
                          std::string& out);
  std::optional<bool> depends_on_turns(std::string_view text, const Numbers& numbers) const;
  void replace_at_once(std::string_view text, const Numbers& numbers, std::string_view placeholder,
                       std::string& out) const;
  bool replace_in_turn(std::string_view text, std::string_view element, std::string_view placeholder, std::string& out);

  std::vector<MarkupSpan> matches_;
  std::vector<MarkupSpan> inner_;  // would be elements if they did not begin inside others
  std::string spare_;
};

}  // namespace bertprep
