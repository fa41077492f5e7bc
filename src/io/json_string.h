// A string as JSON, for lines that are written one by one: no Json in between, which would copy the text.
#pragma once

#include <string>
#include <string_view>

namespace bertprep {

// Appends `text`, with its quotation marks, as Json::dump_line() writes it.
void append_json_string(std::string_view text, std::string& out);

}  // namespace bertprep
