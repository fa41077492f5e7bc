// The hidden folder of a folder of results: `.NAME.bertprep` next to the folder NAME, or `.bertprep` inside it.
#pragma once

#include <filesystem>
#include <optional>

namespace bertprep {

// The one beside `folder`, whether it exists or not.
std::filesystem::path state_beside(const std::filesystem::path& folder);

// Its path for a new one: inside if the sibling would be on another file system or can't be created. Throws IoError if
// `folder` does not exist.
std::filesystem::path choose_state_folder(const std::filesystem::path& folder);

// The existing one of `folder`; nothing if there is none.
std::optional<std::filesystem::path> find_state_folder(const std::filesystem::path& folder);

// The folder of results whose hidden folder has this name; nothing for other names.
std::optional<std::filesystem::path> folder_of_state(const std::filesystem::path& state);

}  // namespace bertprep
