// Options that apply only to some inputs.
#pragma once

#include <span>

#include "bertprep/base/progress.h"
#include "bertprep/pipeline/stages.h"
#include "bertprep/token/text_encoder.h"
#include "options/option_table.h"

namespace bertprep::cli {

// Refuses a given option that has no effect for any format of `parts`: throws ConfigError for a flag; only notes one in
// a configuration file, which several commands may share. Throws as resolve_format().
void refuse_ignored_options(const OptionTable& options, std::span<const CorpusPart> parts, Progress& progress);

// Refuses a given flag that has no effect for the kind of vocabulary of `encoder`. Throws ConfigError.
void refuse_ignored_options(const OptionTable& options, const TextEncoder& encoder);

// A run makes rows for BERT or token sequences: throws ConfigError for a flag of the other.
void refuse_options_of_other_goal(const OptionTable& options, bool makes_sequences);

// For calls without downloads: throws ConfigError for a flag that only affects downloads.
void refuse_download_options(const OptionTable& options);

}  // namespace bertprep::cli
