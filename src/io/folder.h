// Lists, walks and removes folders.
//
// These functions throw std::bad_alloc if memory runs out; in libstdc++, the iterators of std::filesystem and its
// remove_all() terminate the program.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <system_error>
#include <vector>

namespace bertprep {

using FolderEntries = std::vector<std::filesystem::directory_entry>;

// The entries of `folder`, by name. Throws IoError if it can't be read.
FolderEntries list_folder(const std::filesystem::path& folder);

// The same; empty if there is no such folder.
FolderEntries list_folder_if_any(const std::filesystem::path& folder);

// The same without throwing: if the folder can't be read, `error` says why and the list is empty.
FolderEntries list_folder(const std::filesystem::path& folder, std::error_code& error);

// Only their names, which asks the file system for nothing else.
std::vector<std::string> names_in_folder_if_any(const std::filesystem::path& folder);

// Whether `folder` is surely empty: false if it can't be read.
bool is_empty_folder(const std::filesystem::path& folder);

// The folder of `file`: "." for a name alone.
std::filesystem::path folder_of(const std::filesystem::path& file);

// Whether its name begins with a dot.
bool is_hidden(const std::filesystem::path& path);

// Calls visit() with everything below `folder`, each folder before its entries. Skips folders for which it returns
// false, and doesn't follow links. Throws IoError if a folder can't be read, unless it was removed meanwhile.
void walk_folder(const std::filesystem::path& folder,
                 const std::function<bool(const std::filesystem::directory_entry&)>& visit);

// Whether the program may read a folder; true of everything else.
bool may_be_read(const std::filesystem::directory_entry& entry);

// Makes a folder and those above it that are missing. Throws IoError.
void make_folders(const std::filesystem::path& folder);

// Removes a file, or a folder with all its contents, without following links. `error` says what went wrong; a missing
// `path` is not an error. Without `error`, throws IoError.
void remove_tree(const std::filesystem::path& path, std::error_code& error);
void remove_tree(const std::filesystem::path& path);

}  // namespace bertprep
