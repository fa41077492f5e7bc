// Options that count for some inputs only.
#pragma once

#include <span>

#include "bertprep/base/progress.h"
#include "bertprep/pipeline/stages.h"
#include "bertprep/token/text_encoder.h"
#include "options/option_table.h"

namespace bertprep::cli {

// Refuses an option that was given and has no effect for any format of `parts`: throws ConfigError for a flag; leaves a
// note for a configuration file, which several commands may share. Throws as resolve_format() does.
void refuse_ignored_options(const OptionTable& options, std::span<const CorpusPart> parts, Progress& progress);

// Refuses a flag that was given and has no effect for the kind of vocabulary that `encoder` has. Throws ConfigError.
void refuse_ignored_options(const OptionTable& options, const TextEncoder& encoder);

// A run makes rows for BERT or token sequences: a flag that is for the other throws ConfigError.
void refuse_options_of_other_goal(const OptionTable& options, bool makes_sequences);

// Where nothing is downloaded: a flag that is for downloads alone throws ConfigError.
void refuse_download_options(const OptionTable& options);

}  // namespace bertprep::cli
