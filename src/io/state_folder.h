// The hidden folder of a folder of results: `.NAME.bertprep` next to the folder NAME, or `.bertprep` inside it.
// Beside a folder, so that it holds only results; inside a folder in which the user has single files.
#pragma once

#include <filesystem>
#include <optional>

namespace bertprep {

// The one beside `folder`, whether it exists or not.
std::filesystem::path state_beside(const std::filesystem::path& folder);

enum class StatePlace { kBeside, kInside };

// The existing one of `folder`, else the path for a new one at `place`: inside in any case if the sibling would be on
// another file system, can't be created or would be above the current folder. Throws IoError if `folder` does not
// exist.
std::filesystem::path choose_state_folder(const std::filesystem::path& folder, StatePlace place = StatePlace::kBeside);

// The existing one of `folder`; nothing if there is none.
std::optional<std::filesystem::path> find_state_folder(const std::filesystem::path& folder);

// The folder of results whose hidden folder has this name; nothing for other names.
std::optional<std::filesystem::path> folder_of_state(const std::filesystem::path& state);

}  // namespace bertprep
