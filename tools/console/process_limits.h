// Limits of the process that are raised before it works.
#pragma once

namespace bertprep::cli {

// As far as allowed: sharding writes to all text shards at once, and many systems start with 1,024. If refused, a later
// error shows it.
void allow_many_open_files();
// Raises a limit of the stack with which calls would end in a fault of memory (ulimit -s). Where it can't, ends the
// process with a word. Comes first.
void require_stack(const char* program);

}  // namespace bertprep::cli
