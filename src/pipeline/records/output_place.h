// Where results are to lie. What can't be written there is found before anything is read: a run may work for hours.
#pragma once

#include <filesystem>

namespace bertprep {

// Throws IoError if `folder` can't be made or written, as far as is known without making it.
void require_output_folder(const std::filesystem::path& folder);
// The same for `file`, a result; also if it names a folder. Throws FormatError for a device or a pipe, even to be
// replaced.
void require_output_file(const std::filesystem::path& file);

// Makes `folder` if it is missing. Throws IoError.
void make_output_folder(const std::filesystem::path& folder);
// Throws IoError if no files can be made in `folder`.
void refuse_unwritable(const std::filesystem::path& folder);

}  // namespace bertprep
