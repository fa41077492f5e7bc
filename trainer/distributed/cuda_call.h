// Calls of the CUDA runtime, with failures as errors. For the few files that use a GPU without libtorch.
#pragma once

namespace bertprep {

// `result` is a cudaError_t. Throws Error "WHAT failed: ..." unless it is success.
void check_cuda(int result, const char* what);
// Directs the following calls of this thread to `device`.
void use_device(int device);

}  // namespace bertprep
