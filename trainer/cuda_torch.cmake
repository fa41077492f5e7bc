# What a PyTorch with CUDA needs to be found; one without does not mind.
#
# Its package enables the language CUDA, and for that needs nvcc in PATH, in CUDACXX, or under /usr/local/cuda. Here are
# no CUDA sources: the architecture is named only so that it does not look for a GPU on the machine that builds.
if(NOT DEFINED TORCH_CUDA_ARCH_LIST AND NOT DEFINED ENV{TORCH_CUDA_ARCH_LIST})
  set(TORCH_CUDA_ARCH_LIST 9.0)
endif()
# PyTorch before 2.8 links CUDA::nvToolsExt, which CUDA 12.9 and newer have as a header alone.
find_package(CUDAToolkit QUIET)
if(TARGET CUDA::nvtx3 AND NOT TARGET CUDA::nvToolsExt)
  add_library(CUDA::nvToolsExt INTERFACE IMPORTED)
  target_link_libraries(CUDA::nvToolsExt INTERFACE CUDA::nvtx3)
endif()
