// Doctor's findings in words, for terminals and pages.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "quality/doctor/doctor.h"

namespace bertprep {

// What mends a finding, as a person can type it. `path` is what doctor was given.
std::string mend_text(const Finding& finding, const std::filesystem::path& path);
// Where it was met first: a path, perhaps with a row.
std::string place_text(const Finding& finding, const std::filesystem::path& path);
// "41 rows in 3 files", for a trap that was met more than once; else empty.
std::string extent_text(const Finding& finding);
// "crash late: habana, neuron: ...": one for all trainers of whom the same is said.
std::vector<std::string> effect_texts(const Finding& finding);

}  // namespace bertprep
