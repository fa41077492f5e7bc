// list_inputs: what the user names -> the files to read.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bertprep {

struct Input {
  std::filesystem::path given;  // as the user named it
  bool is_folder = false;
  std::vector<std::filesystem::path> files;  // never empty; in byte order of their paths
  std::string ending{};                      // selects members of archives, as it did files
  bool may_be_empty = false;                 // a piece of an input need not have an article
};

// `ending` (".txt", or empty for all) selects files of folders (input_names.h); a file that is named itself is
// taken whatever its name. Throws ConfigError when nothing is given, IoError when an input does not exist or a
// folder has no such file.
std::vector<Input> list_inputs(std::span<const std::filesystem::path> inputs, std::string_view ending = {});

}  // namespace bertprep
