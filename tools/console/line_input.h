// Lines of stdin or of files, for the filters.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

namespace bertprep::cli {

// Calls line(view) for every LF-ended line of `files`, or of standard input for "-" and when there are none. Throws
// IoError, and FormatError with file, line and byte for invalid UTF-8.
void for_each_input_line(const std::vector<std::filesystem::path>& files,
                         const std::function<void(std::string_view)>& line);

}  // namespace bertprep::cli
