// list_inputs: what the user names -> the files to read.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/base/progress.h"
#include "source/input_names.h"

namespace bertprep {

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
