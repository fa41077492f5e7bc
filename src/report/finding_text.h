// Doctor's findings in words, for terminals and pages.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "quality/doctor/doctor.h"

namespace bertprep {

// How to fix a finding, as a command to type. `path` is the argument of doctor.
std::string fix_text(const Finding& finding, const std::filesystem::path& path);
// Where it first occurs: a path, possibly with a row.
std::string place_text(const Finding& finding, const std::filesystem::path& path);
// "41 rows in 3 files", for a trap that occurs more than once; else empty.
std::string extent_text(const Finding& finding);
// "crash late: habana, neuron: ...": one for all trainers with the same effect.
std::vector<std::string> effect_texts(const Finding& finding);

}  // namespace bertprep
