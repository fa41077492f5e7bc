// What decides the speed of libtorch on CPUs and can only be set before it is loaded, or before it is used.
#pragma once

namespace bertprep::cli {

// Sets up the memory allocator: large tensors are kept instead of being taken from the system anew in every step.
// Starts the program again, once, with what libraries read when they are loaded, where the user gave nothing else:
// OPENBLAS_CORETYPE, as OpenBLAS takes old instructions on processors newer than itself, and OMP_WAIT_POLICY=passive,
// as threads that wait in a loop take the processor from those that work.
void set_up_process(char** argv);

}  // namespace bertprep::cli
