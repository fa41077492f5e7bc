// How many processors this process may use.
#pragma once

namespace bertprep {

int available_processors();  // at least 1

}  // namespace bertprep
