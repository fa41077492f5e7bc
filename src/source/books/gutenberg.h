// The frame that Project Gutenberg puts around a book: a header up to a line "*** START OF …", a licence from a line
// "*** END OF …" on; in the 1990s a "small print" in front and a line "End of the Project Gutenberg Etext" behind.
#pragma once

#include <string>
#include <string_view>

namespace bertprep {

// The book without header, licence and the paragraph that says who typed it. Lines are looked at whole, in upper and
// lower case alike; several books in a row are cut each by itself. A book without such lines, or one that would be
// blank without its frame, is returned as it is. `book` has LF only.
std::string without_gutenberg_frame(std::string_view book);

}  // namespace bertprep
