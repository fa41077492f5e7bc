// What a lost template or formula leaves around it: empty brackets, doubled commas, the rest of a part in brackets.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bertprep::clean {

// Each run of kHoleMark and kGoneMark with the blanks in it becomes one mark. Brackets and quotes around nothing else
// vanish, of two separators beside it one, and blanks before wide punctuation. Text without marks stays as it is.
void remove_rests(std::string& text);

// A part of a bracket, between its separators, that holds a kHoleMark vanishes, and the bracket when no word is left.
// Brackets of functions and coordinates, f(…) and (0, …), stay with their mark.
void remove_lost_parts(std::string& text);

// To call where a template or tag was read, before which `out` had `size` bytes and behind which `source` continues at
// `at`: no blank stays there before wide punctuation, and if nothing is shown, kGoneMark is put between signs that may
// go with it. Returns where to read next.
std::size_t close_up(std::string& out, std::size_t size, std::string_view source, std::size_t at);

}  // namespace bertprep::clean
