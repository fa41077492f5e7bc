// The trainers accepted by --for.
#pragma once

#include <string>

#include "quality/traps.h"

namespace bertprep {

// "nvidia|habana|...", as the name of the value in --help.
std::string trainer_names();
// Those that read only HDF5.
std::string row_trainer_names();

// Throws ConfigError listing all.
TrainerKind trainer_of(const std::string& name);
TrainerKind row_trainer_of(const std::string& name);

}  // namespace bertprep
