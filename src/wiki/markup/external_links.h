// External links in brackets: [url label] -> label. A URL without a label goes, one without brackets stays.
#pragma once

#include <string>
#include <string_view>

namespace bertprep {

// True: `out` is the new text. False: nothing changes.
bool replace_external_links(std::string_view text, std::string& out);

}  // namespace bertprep
