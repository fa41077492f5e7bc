// Facts about paths: whether two name one file or are on one file system, names on networks, free names, patterns.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace bertprep {

// Why the program may not make files in `folder`, as the system says; nothing if it may.
std::error_code why_not_writable(const std::filesystem::path& folder);

// When a file was last written, as the system counts it. The clock of std::filesystem ends in 2262, and some archives
// and file systems give later dates.
struct WriteTime {
  std::int64_t seconds = 0;  // since 1970
  std::int64_t nanoseconds = 0;

  auto operator<=>(const WriteTime&) const = default;
};
// Throws IoError.
WriteTime write_time_of(const std::filesystem::path& file);

// Whether both paths, which exist, are on the same file system.
bool on_one_file_system(const std::filesystem::path& left, const std::filesystem::path& right);

// FileIdentity: the file or folder that a path leads to, whatever its name.

// Hard links and symlinks to one file have one identity.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;

  auto operator<=>(const FileIdentity&) const = default;
};

// Nothing if the path leads nowhere.
std::optional<FileIdentity> identity_of(const std::filesystem::path& path);

// Names on a network file system: the client may report a name as absent for a while after another machine has made the
// file.

// Makes the client ask the server at the next lookup of a name in `folder`.
void refresh_folder(const std::filesystem::path& folder);

// Whether something has this name now; never throws.
bool exists_now(const std::filesystem::path& path);

// Patterns of names and paths.

// The current size of the file, although the client may have cached an older one. Nothing if there is no regular file;
// throws IoError if the size can't be determined.
std::optional<std::uint64_t> size_if_exists(const std::filesystem::path& file);

// Whether all of `path` matches `pattern` as in a shell: `*` matches any characters, including slashes, `?` for one,
// `[a-z]` for one of these; a backslash escapes the next character.
bool matches_pattern(const std::string& path, const std::string& pattern);

// Whether one of a comma-separated list of patterns matches. A pattern without a slash is compared with the last part
// of the path.
bool matches_any(std::string_view path, std::string_view patterns);

// Renames `from` to `to` in the same folder, unless `to` exists: then returns false and changes nothing. Atomic with
// respect to other processes. Throws IoError.
bool rename_if_free(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace bertprep
