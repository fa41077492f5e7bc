// Downloads several files, with a limited number of connections to each host.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/fetch/fetch.h"
#include "fetch/download.h"

namespace bertprep {

HttpSettings http_settings(const FetchOptions& options);
RetryPolicy retry_policy(const FetchOptions& options);

// Returns when all are complete and correct. Throws IoError, FormatError, Cancelled; unfinished parts stay for the next
// call.
void download_all(const std::vector<DownloadTask>& tasks, const FetchOptions& options, const RetryPolicy& policy,
                  Progress& progress);

// The same, but reports unavailable files as skipped and leaves them out.
void download_each(const std::vector<DownloadTask>& tasks, const FetchOptions& options, const RetryPolicy& policy,
                   Progress& progress);

}  // namespace bertprep
