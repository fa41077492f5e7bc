// Settings for the speed of libtorch on CPUs that must be made before it is loaded or used.
#pragma once

namespace bertprep::cli {

// Sets up the memory allocator: memory of large tensors is kept instead of being requested from the system in every
// step. Restarts the program once with variables that libraries read when loaded, unless the user has set them:
// OPENBLAS_CORETYPE, as OpenBLAS uses old instructions on processors newer than itself, and OMP_WAIT_POLICY=passive, as
// spinning threads take processor time from working ones.
void set_up_process(char** argv);

}  // namespace bertprep::cli
