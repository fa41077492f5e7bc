// Dates of template arguments as English text.
#pragma once

#include <string>
#include <string_view>

namespace bertprep::clean {

// "14 March 1879" or, with `month_first`, "March 14, 1879" of "1879", "3", "14"; "March 1879" without a day. A
// year that is no number comes back as it is.
std::string written_date(std::string_view year, std::string_view month, std::string_view day, bool month_first);

}  // namespace bertprep::clean
