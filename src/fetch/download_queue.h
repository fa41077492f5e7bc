// Downloads several files, no more than so many at once from one host.
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

// Returns when all are there and right. Throws IoError, FormatError, Cancelled; unfinished parts stay for the next
// call.
void download_all(const std::vector<DownloadTask>& tasks, const FetchOptions& options, const RetryPolicy& policy,
                  Progress& progress);

// The same, but a file that can't be had is reported as skipped and left out.
void download_each(const std::vector<DownloadTask>& tasks, const FetchOptions& options, const RetryPolicy& policy,
                   Progress& progress);

}  // namespace bertprep
