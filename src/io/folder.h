// Folders: what lies in one, and below it.
//
// These functions throw std::bad_alloc when memory runs short, where the iterators of std::filesystem and its
// remove_all() end the program (libstdc++).
#pragma once

#include <filesystem>
#include <functional>
#include <system_error>
#include <vector>

namespace bertprep {

using FolderEntries = std::vector<std::filesystem::directory_entry>;

// What lies in `folder`, by name. Throws IoError where it can't be read.
FolderEntries list_folder(const std::filesystem::path& folder);

// The same; nothing where there is no such folder.
FolderEntries list_folder_if_any(const std::filesystem::path& folder);

// The same for those who can do without: `error` says why the folder can't be read, and nothing is listed then.
FolderEntries list_folder(const std::filesystem::path& folder, std::error_code& error);

// Calls visit() with everything below `folder`, a folder before what lies in it. Folders for which it returns false are
// not looked into, and neither are links. Throws IoError where a folder can't be read, unless it went away meanwhile.
void walk_folder(const std::filesystem::path& folder,
                 const std::function<bool(const std::filesystem::directory_entry&)>& visit);

// Whether the program may look into a folder; true of everything else.
bool may_be_read(const std::filesystem::directory_entry& entry);

// Removes a file, or a folder with all below it; links are not followed. `error` says what went wrong; nothing there is
// none. Without it, throws IoError.
void remove_tree(const std::filesystem::path& path, std::error_code& error);
void remove_tree(const std::filesystem::path& path);

}  // namespace bertprep
