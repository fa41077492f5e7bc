// Finds the name that a misspelled one may have meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace bertprep {

// Returns the name of which `word` is a misspelling or a part ("trian-shards" or "shards" for "train-shards"), the
// first of several equally near. Empty if none is near: a wrong guess is worse than none. Ignores case, and the
// difference between '_' and '-'.
//
// A misspelling has at most one letter in three inserted, missing, replaced or swapped with its neighbour (optimal
// string alignment, Damerau 1964). A part has at least three letters and ends at a dash or the end of the name, or
// begins the name.
std::string nearest_name(std::string_view word, std::span<const std::string> names);

// " (did you mean 'NAME'?)", or empty if none is near.
std::string suggestion_text(std::string_view word, std::span<const std::string> names);

}  // namespace bertprep
