// list_inputs: what the user names -> the files to read, by their names. Names only choose what is read; how it is read
// is told by the content.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/base/progress.h"

namespace bertprep {

// What the names of files and of members of archives say. They only choose what is read; how it is read is told by the
// content.

// Whether the name ends in `ending`, which is in lower case; upper and lower case alike.
bool has_ending(std::string_view name, std::string_view ending);

// The name without the ending of a compressed file (.gz, .bz2, .zst, .xz), if it has one.
std::string_view without_compression_ending(std::string_view name);

// Which files of folders and members of archives are read.
struct NameChoice {
  std::string ending{};   // ".txt", in lower case: only such, perhaps compressed, and archives; empty: all
  std::string include{};  // patterns (file_system.h) in place of the ending
  std::string exclude{};
};

// Why a file or member is not read, in words for a remark; nothing if it is. `path` is that within the folder or
// archive. Patterns see it with and without the ending of a compressed file.
std::optional<std::string> why_left_out(std::string_view path, const NameChoice& choice);

// What follows the last slash.
std::string_view last_part_of(std::string_view path);

// The last part of a path, without the ending of a compressed file and its own.
std::string_view stem_of(std::string_view path);

struct Input {
  std::filesystem::path given;  // as the user named it
  bool is_folder = false;
  std::vector<std::filesystem::path> files;  // never empty; in byte order of their paths
  NameChoice choice{};                       // selects members of archives, as it did files
  bool may_be_empty = false;                 // a piece of an input need not have an article
  std::vector<RecordRemark> left_out{};      // what else lies in the folder, in no order
};

// `choice` selects files of folders; a file that is named itself is taken whatever its name. Links to nothing and what
// is no regular file are left out of folders. Throws ConfigError when nothing is given, IoError when an input does not
// exist or a folder has no file that is wanted.
std::vector<Input> list_inputs(std::span<const std::filesystem::path> inputs, const NameChoice& choice = {});

// Throws IoError for an input that can't be read more than once: a pipe, a device, a socket. Opens none of them.
void refuse_pipes(std::span<const std::filesystem::path> inputs);

}  // namespace bertprep
