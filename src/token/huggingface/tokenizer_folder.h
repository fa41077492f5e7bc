// Writing the files of a tokenizer into a folder.
#pragma once

#include <filesystem>
#include <span>

#include "token/huggingface/tokenizer_file.h"

namespace bertprep {

// Makes the folder if needed. Throws FormatError, before writing anything, if a file exists with other content, unless
// `replace`; IoError.
void write_tokenizer_folder(const std::filesystem::path& folder, std::span<const TokenizerFile> files, bool replace);

}  // namespace bertprep
