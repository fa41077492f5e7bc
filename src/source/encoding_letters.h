// guess_by_letters: the 8-bit encoding in which bytes are most likely to be text.
#pragma once

#include <string>
#include <string_view>

namespace bertprep {

// Every pair of an encoding and a language that is written in it is a hypothesis. Its score is the logarithm of how
// likely the bytes from 80 (hexadecimal) on are under it: letters by the language's frequencies (encoding_alphabets.h),
// marks by how common they are; signs between letters, capitals behind small letters, unassigned bytes, and letters of
// another script cost. A language without a list is a hypothesis for the encodings of Western Europe: its letters
// have the frequencies that are seen, at a price. The best score counts.
std::string guess_by_letters(std::string_view bytes);

}  // namespace bertprep
