// Options that apply only to some inputs.
#pragma once

#include <span>

#include "base/fields.h"
#include "bertprep/base/progress.h"
#include "bertprep/pipeline/stages.h"
#include "bertprep/token/text_encoder.h"

namespace bertprep {

// Refuses a given option that has no effect for any format of `parts`: throws ConfigError for a flag; only notes one in
// a configuration file, which several commands may share. Throws as resolve_format().
void refuse_ignored_options(std::span<const GivenOption> given, std::span<const CorpusPart> parts, Progress& progress);

// Refuses a given flag that has no effect for the kind of vocabulary of `encoder`. Throws ConfigError.
void refuse_ignored_options(std::span<const GivenOption> given, const TextEncoder& encoder);

// A run makes rows for BERT or token sequences: throws ConfigError for a flag of the other.
void refuse_options_of_other_goal(std::span<const GivenOption> given, bool makes_sequences);

// For calls without downloads: throws ConfigError for a flag that only affects downloads.
void refuse_download_options(std::span<const GivenOption> given);

}  // namespace bertprep
