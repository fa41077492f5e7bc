// The hidden folder of a folder of results: `.NAME.bertprep` beside the folder NAME, or `.bertprep` inside it.
#pragma once

#include <filesystem>
#include <optional>

namespace bertprep {

// Where it belongs: inside when the sibling would be on another file system or can't be created. Throws IoError when
// there is no such folder.
std::filesystem::path choose_state_folder(const std::filesystem::path& folder);

// The one that was made for `folder`; nothing when there is none.
std::optional<std::filesystem::path> find_state_folder(const std::filesystem::path& folder);

}  // namespace bertprep
