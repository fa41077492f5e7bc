// What the names of files and of members of archives say. They only choose what is read; how it is read is told by the
// content.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bertprep {

// Whether the name ends in `ending`, which is in lower case; upper and lower case alike.
bool has_ending(std::string_view name, std::string_view ending);

// The name without the ending of a compressed file (.gz, .bz2, .zst, .xz), if it has one.
std::string_view without_compression_ending(std::string_view name);

// Which files of folders and members of archives are read.
struct NameChoice {
  std::string ending{};   // ".txt", in lower case: only such, perhaps compressed, and archives; empty: all
  std::string include{};  // patterns (name_pattern.h) in place of the ending
  std::string exclude{};
};

// Why a file or member is not read, in words for a remark; nothing if it is. `path` is that within the folder or
// archive. Patterns see it with and without the ending of a compressed file.
std::optional<std::string> why_left_out(std::string_view path, const NameChoice& choice);

// What follows the last slash.
std::string_view last_part_of(std::string_view path);

// The last part of a path, without the ending of a compressed file and its own.
std::string_view stem_of(std::string_view path);

}  // namespace bertprep
