// The jobs of a submission, as their engine sees them now.
#pragma once

#include <optional>

#include "batch/submission.h"

namespace bertprep::cli {

// Nothing if the engine can't be asked from here.
std::optional<QueueState> ask_engine(const Submission& submission);

}  // namespace bertprep::cli
