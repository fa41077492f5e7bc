// Faults that the stand-in for NCCL shows on request.
#pragma once

#include "stand_in/nccl.h"

namespace bertprep::test {

// The next group of this thread can't be founded.
void fail_next_start(ncclResult_t result);
// Groups of this thread that were aborted (ncclCommAbort), and that were left normally.
int groups_given_up();
int groups_left();

}  // namespace bertprep::test
