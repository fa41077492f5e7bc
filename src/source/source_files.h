// The files that open_source and open_mediawiki read.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "bertprep/source/open_source.h"
#include "source/input_list.h"

namespace bertprep {

// Which files of folders and members of archives are read in this format: those of the format, unless `options` say
// otherwise.
NameChoice choice_of(const std::string& format, const SourceOptions& options);

// `format` as resolve_format gives it. Throws as list_inputs does.
std::vector<Input> list_source(std::span<const std::filesystem::path> inputs, const std::string& format,
                               const SourceOptions& options);

}  // namespace bertprep
