// Calls of the CUDA runtime, whose faults become errors. For the few files that speak to a GPU without libtorch.
#pragma once

namespace bertprep {

// `result` is a cudaError_t. Throws Error "WHAT failed: ..." for what is no success.
void check_cuda(int result, const char* what);
// The calls of this thread that follow are meant for `device`.
void use_device(int device);

}  // namespace bertprep
