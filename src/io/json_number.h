// The number grammar of RFC 8259, section 6.
#pragma once

#include <string_view>

namespace bertprep {

bool is_json_number(std::string_view text);

}  // namespace bertprep
