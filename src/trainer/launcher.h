// What the launcher of several processes tells each of them.
#pragma once

namespace bertprep {

// Whether a launcher started this process as one of several, or may have.
bool has_launcher();

}  // namespace bertprep
