// Runs of characters: double angle brackets, blanks, dots, commas.
#pragma once

#include <string>
#include <string_view>

namespace bertprep {

// All: true: `out` is the new text. False: nothing changes.

// << -> U+00AB, >> -> U+00BB; TAB -> blank, several blanks -> one; four dots or more -> three.
bool shorten_runs(std::string_view text, std::string& out);
// The blank in " ,:.)]U+00BB" and in "[(U+00AB " goes where all these characters stand together.
bool close_up_brackets(std::string_view text, std::string& spare, std::string& out);
// ,, -> , and then ,. -> .
bool shorten_commas(std::string_view text, std::string& spare, std::string& out);

}  // namespace bertprep
