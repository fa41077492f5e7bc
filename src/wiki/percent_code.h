// Percent-encoding of {{urlencode:...}}.
#pragma once

#include <string>
#include <string_view>

namespace bertprep {

// Every byte but ASCII letters, digits and "_.-~/" becomes %XX.
void append_percent_encoded(std::string_view text, std::string& out);

}  // namespace bertprep
