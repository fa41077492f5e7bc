// The system's limit of open files.
#pragma once

namespace bertprep::cli {

// Asks for as many as the system lets a process have: sharding writes to all text shards at once, and many systems
// start with 1,024. What is refused shows as an error when it matters.
void allow_many_open_files();

}  // namespace bertprep::cli
