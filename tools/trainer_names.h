// The trainers that --for takes.
#pragma once

#include <string>

#include "quality/traps.h"

namespace bertprep::cli {

// "nvidia, habana, ..."
std::string trainer_names();
// Those that read HDF5 alone.
std::string row_trainer_names();

// Throws ConfigError that names all.
TrainerKind trainer_of(const std::string& name);
TrainerKind row_trainer_of(const std::string& name);

}  // namespace bertprep::cli
