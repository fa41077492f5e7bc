// All files below a folder.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace bertprep::test {

// Relative path -> bytes, including hidden files and folders; empty if there is no such folder.
using FileTree = std::map<std::string, std::string>;
FileTree read_tree(const std::filesystem::path& folder);

std::vector<std::string> names_of(const FileTree& tree);

// The differences, one line per file; empty if there are none. The bytes of large files are not printed.
std::string difference(const FileTree& left, const FileTree& right);

}  // namespace bertprep::test
