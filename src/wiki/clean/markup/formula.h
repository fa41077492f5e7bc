// TeX of <math> and <chem> -> a line of text, where that reads well.
#pragma once

#include <string>
#include <string_view>

namespace bertprep::clean {

// Replaces `text`. "E = mc^2", "a/b", "√x", Greek letters and common signs. False: the formula is too long or too
// deep for a line of prose, or holds a command that has no plain form; it is left out.
bool write_formula(std::string_view tex, std::string& text);

}  // namespace bertprep::clean
