// FileIdentity: which file or folder a path leads to, whatever it is called.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace bertprep {

// Hard links and symlinks to one file have one identity.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;

  auto operator<=>(const FileIdentity&) const = default;
};

// Nothing when the path leads nowhere.
std::optional<FileIdentity> identity_of(const std::filesystem::path& path);

}  // namespace bertprep
