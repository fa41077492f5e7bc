// Patterns of names and paths.
#pragma once

#include <string>
#include <string_view>

namespace bertprep {

// Whether the whole of `path` fits `pattern` as in a shell: `*` stands for any characters, slashes too, `?` for one,
// `[a-z]` for one of these; a backslash takes the meaning from the next character.
bool matches_pattern(const std::string& path, const std::string& pattern);

// The same for a list of patterns, separated by commas: one of them fits. A pattern without a slash is compared with
// the last part of the path.
bool matches_any(std::string_view path, std::string_view patterns);

}  // namespace bertprep
