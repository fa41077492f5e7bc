// Behaviour switches: __NOTOC__ and its like are deleted.
#pragma once

#include <string>
#include <string_view>

namespace bertprep {

// True: `out` is the new text. False: nothing changes.
bool drop_switches(std::string_view text, std::string& out);

}  // namespace bertprep
