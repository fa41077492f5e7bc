// Removes the frame that Project Gutenberg puts around a book: a header up to a line "*** START OF …", a licence from a
// line "*** END OF …" on; in the 1990s, "small print" before and a line "End of the Project Gutenberg Etext" after it.
#pragma once

#include <string>
#include <string_view>

namespace bertprep {

// The book without header, licence and the paragraph that says who typed it. Whole lines are compared, ignoring case;
// consecutive books are handled separately. A book without such lines, or one that would become blank, is returned
// unchanged. `book` must have LF line ends.
std::string without_gutenberg_frame(std::string_view book);

}  // namespace bertprep
