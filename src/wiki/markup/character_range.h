// Places in UTF-8 counted in characters.
#pragma once

#include <cstdint>
#include <string_view>

namespace bertprep {

std::int64_t character_count(std::string_view text);
// `count` characters from character `first` (from 0) on, or fewer at the end of the text.
std::string_view character_range(std::string_view text, std::int64_t first, std::int64_t count);

}  // namespace bertprep
