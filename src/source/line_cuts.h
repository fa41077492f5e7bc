// Where a file whose records are lines can be cut.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/task_runner.h"
#include "source/piece_groups.h"

namespace bertprep {

enum class LineCuts {
  kBehindLine,       // a line is a record
  kBehindBlankLine,  // records are groups of lines
};

// At most `pieces` - 1 places, as evenly spread as the lines allow, of a plain file of `file_bytes`; none of a
// compressed file, an archive, or before its first line that is not blank. Reads the file from front to back to number
// its lines. Throws IoError.
std::vector<Cut> cut_lines(const std::filesystem::path& file, std::uint64_t file_bytes, std::uint64_t pieces,
                           LineCuts where, const TaskRunner& runner);

// Whether a plain file of JSON has a record a line. An array has not, and no line tells by itself where an element
// begins.
bool has_json_lines(const std::filesystem::path& file);

}  // namespace bertprep
