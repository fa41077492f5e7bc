// What is known of the file systems under paths.
#pragma once

#include <filesystem>

namespace bertprep {

// Whether both paths, which exist, lie on the same file system.
bool on_one_file_system(const std::filesystem::path& left, const std::filesystem::path& right);

}  // namespace bertprep
