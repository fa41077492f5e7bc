// The names of HTML's character references, as one text: "name codes name codes ".
#pragma once

#include <string_view>

namespace bertprep::clean {

// Sorted by name. Two code points are joined by '+'.
std::string_view entity_names();

}  // namespace bertprep::clean
