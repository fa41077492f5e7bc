#include "support/file_tree.h"

#include "support/golden_data.h"

namespace bertprep::test {

FileTree read_tree(const std::filesystem::path& folder) {
  FileTree tree;
  if (!std::filesystem::exists(folder)) return tree;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) tree[entry.path().lexically_relative(folder).string()] = read_bytes(entry.path());
  }
  return tree;
}

std::vector<std::string> names_of(const FileTree& tree) {
  std::vector<std::string> names;
  for (const auto& [name, bytes] : tree) names.push_back(name);
  return names;
}

std::string difference(const FileTree& left, const FileTree& right) {
  std::string text;
  for (const auto& [name, bytes] : left) {
    const auto other = right.find(name);
    if (other == right.end()) {
      text += "only left: " + name + "\n";
    } else if (other->second != bytes) {
      text += "differs: " + name + "\n";
    }
  }
  for (const auto& [name, bytes] : right) {
    if (!left.contains(name)) text += "only right: " + name + "\n";
  }
  return text;
}

}  // namespace bertprep::test
