#pragma once

namespace bertprep::cli {

// The program's exit statuses; scripts rely on the numbers.
enum ExitStatus : int {
  kDone = 0,
  kFailed = 1,
  kUsage = 2,
  kTooManyRejects = 3,  // finished, but more records were rejected than --max-rejects allows
  kDataOutOfRange = 4,  // finished, but the data is out of a range, with --strict-data
  kTryAgain = 75,       // an input or output error that may be temporary; the same command resumes (EX_TEMPFAIL)
  kInterrupted = 130,   // SIGINT; 143 for SIGTERM. The same command resumes
};

}  // namespace bertprep::cli
