// What is known of files by their paths: whether two paths lead to one file or one file system, names on a network,
// names that are free, patterns of names.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace bertprep {

// Whether both paths, which exist, lie on the same file system.
bool on_one_file_system(const std::filesystem::path& left, const std::filesystem::path& right);

// FileIdentity: which file or folder a path leads to, whatever it is called.

// Hard links and symlinks to one file have one identity.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;

  auto operator<=>(const FileIdentity&) const = default;
};

// Nothing when the path leads nowhere.
std::optional<FileIdentity> identity_of(const std::filesystem::path& path);

// Names on a network file system: its client remembers for a while that a name was absent, though another machine has
// made the file meanwhile.

// Makes the client ask the server for the names in `folder` when it is next asked for one.
void look_again(const std::filesystem::path& folder);

// Whether there is something of this name now; never throws.
bool exists_now(const std::filesystem::path& path);

// Patterns of names and paths.

// The size of the file behind the name now, which may have shown an older one before. Nothing where there is no regular
// file; throws IoError where it can't be told.
std::optional<std::uint64_t> size_if_there(const std::filesystem::path& file);

// Whether the whole of `path` fits `pattern` as in a shell: `*` stands for any characters, slashes too, `?` for one,
// `[a-z]` for one of these; a backslash takes the meaning from the next character.
bool matches_pattern(const std::string& path, const std::string& pattern);

// The same for a list of patterns, separated by commas: one of them fits. A pattern without a slash is compared with
// the last part of the path.
bool matches_any(std::string_view path, std::string_view patterns);

// Gives `from` the name `to` in the same folder, unless something is called so: then false, and nothing has changed,
// whoever else tries the same at this moment. Throws IoError.
bool rename_if_free(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace bertprep
