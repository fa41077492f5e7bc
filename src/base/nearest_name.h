// The name that a mistyped one may have meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace bertprep {

// The one of `names` that `word` is a misspelling or a part of ("trian-shards" or "shards" for "train-shards"), the
// first of equals. Empty when none is near: a wrong guess is worse than none. Capitals, and '_' for '-', don't count.
//
// A misspelling has at most one letter in three added, left out, replaced or swapped with its neighbour (optimal string
// alignment, Damerau 1964). A part has at least three letters and ends where the name has a dash or ends, or begins the
// name.
std::string nearest_name(std::string_view word, std::span<const std::string> names);

// " (did you mean 'NAME'?)", or nothing when none is near.
std::string suggestion_text(std::string_view word, std::span<const std::string> names);

}  // namespace bertprep
