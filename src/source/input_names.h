// What the names of files and of members of archives say. They only choose what is read; how it is read is told by the
// content.
#pragma once

#include <string_view>

namespace bertprep {

// Whether the name ends in `ending`, which is in lower case; upper and lower case alike.
bool has_ending(std::string_view name, std::string_view ending);

// The name without the ending of a compressed file (.gz, .bz2, .zst, .xz), if it has one.
std::string_view without_compression_ending(std::string_view name);

// Whether a file of a folder or a member of an archive is read when those that end in `ending` are wanted: it does so,
// perhaps compressed, or is an archive. An empty `ending` takes all.
bool is_wanted(std::string_view name, std::string_view ending);

// What follows the last slash.
std::string_view last_part_of(std::string_view path);

// The last part of a path, without the ending of a compressed file and its own.
std::string_view stem_of(std::string_view path);

}  // namespace bertprep
