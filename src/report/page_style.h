// The style of pages: one column on a phone, three of charts on a desk; colours of both themes as variables.
#pragma once

#include <string_view>

namespace bertprep {

extern const std::string_view kPageStyle;

}  // namespace bertprep
