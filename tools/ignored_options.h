// Options that count for some inputs only.
#pragma once

#include <span>

#include "bertprep/base/progress.h"
#include "bertprep/pipeline/corpus.h"
#include "option_table.h"

namespace bertprep::cli {

// An option that was given and does nothing for any format of `parts`: of a flag throws ConfigError, of a configuration
// file, which several commands may share, leaves a note. Throws as resolve_format() does.
void refuse_ignored_options(const OptionTable& options, std::span<const CorpusPart> parts, Progress& progress);

// Where nothing is downloaded: a flag that is for downloads alone throws ConfigError.
void refuse_download_options(const OptionTable& options);

}  // namespace bertprep::cli
