// Addresses of other storage, such as s3://bucket/x, where a path is expected: as a path, one would name a local folder
// "s3:".
#pragma once

#include <string>
#include <string_view>

namespace bertprep {

// What is wrong with an address (SCHEME://...) as a path, and what to do instead; empty for any other text.
std::string fault_of_address(std::string_view path);

// Throws ConfigError for an address. `source` is where it comes from, such as "`output`"; it may be empty.
void refuse_address(std::string_view path, std::string_view source = {});

// Whether the values of options with this unit (fields.h) are paths.
bool is_unit_of_path(std::string_view unit);

}  // namespace bertprep
