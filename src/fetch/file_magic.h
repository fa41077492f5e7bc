// Whether a file begins as its name promises: a page of a captive portal is no archive.
#pragma once

#include <cstddef>
#include <string_view>

namespace bertprep {

inline constexpr std::size_t kMagicBytes = 6;

// True as well when the name promises nothing. `head`: the first kMagicBytes, fewer of a shorter file.
bool begins_as_named(std::string_view name, std::string_view head);

}  // namespace bertprep
