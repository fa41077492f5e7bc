// list_inputs: the user's inputs -> the files to read, by their names. Names only decide what is read; the content
// decides how.
#pragma once

#include <filesystem>
#include <vector>

#include "bertprep/base/progress.h"
#include "stream/open_stream.h"

namespace bertprep {

// Which files of folders and members of archives are read.
struct NameChoice {
  std::string ending{};   // ".txt", in lower case: only such files, possibly compressed, and archives, if a folder has
                          // any; empty: all
  std::string include{};  // patterns (file_system.h) instead of the ending
  std::string exclude{};
};

// Why a file or member is not read, in words for a remark; nothing if it is. `path` is relative to the folder or
// archive. Patterns are matched with and without the extension of a compressed file. Without `include`, what comes with
// data is not read: README, LICENSE, SHA256SUMS, the index of a dump.
std::optional<std::string> why_left_out(std::string_view path, const NameChoice& choice);

// "a.zip", "A.TGZ"; without the extension of a compressed file.
bool is_archive_name(std::string_view name);

// The text after the last slash.
std::string_view last_part_of(std::string_view path);

// The last part of a path, without the extension of a compressed file and its own.
std::string_view stem_of(std::string_view path);

struct Input {
  std::filesystem::path given;  // as the user named it
  bool is_folder = false;
  std::vector<std::filesystem::path> files;  // never empty; in byte order of their paths
  NameChoice choice{};                       // also selects members of archives
  bool may_be_empty = false;                 // a piece of an input need not have an article
  std::vector<RecordRemark> left_out{};      // skipped entries of the folder, unordered
};

// `choice` selects files of folders; a file given directly is always read. In folders, skips broken links and entries
// that are not regular files. Throws ConfigError without inputs, IoError if an input does not exist or a folder has no
// selected file.
std::vector<Input> list_inputs(std::span<const std::filesystem::path> inputs, const NameChoice& choice = {});

// Throws IoError for an input that can't be read twice: a pipe, a device, a socket. Does not open them.
void refuse_pipes(std::span<const std::filesystem::path> inputs);

}  // namespace bertprep
