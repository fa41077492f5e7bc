# NCCL: header and library under -DNCCL_ROOT=, beside PyTorch (its wheels bring the package nvidia-nccl), with CUDA, or
# where the distribution puts them. Sets bertprep_has_nccl, bertprep_nccl_include and bertprep_nccl_libraries.
set(nccl_places ${NCCL_ROOT} $ENV{NCCL_ROOT} ${TORCH_INSTALL_PREFIX}/../nvidia/nccl ${CUDAToolkit_LIBRARY_ROOT}
                ${CUDAToolkit_INCLUDE_DIRS}/..)
find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${nccl_places} PATH_SUFFIXES include)
find_library(NCCL_LIBRARY NAMES nccl libnccl.so.2 HINTS ${nccl_places} PATH_SUFFIXES lib lib64)
mark_as_advanced(NCCL_INCLUDE_DIR NCCL_LIBRARY)

if(NCCL_INCLUDE_DIR AND NCCL_LIBRARY AND TARGET CUDA::cudart)
  set(bertprep_has_nccl ON)
  set(bertprep_nccl_include ${NCCL_INCLUDE_DIR} ${CUDAToolkit_INCLUDE_DIRS})
  # Also the library that libtorch loads: by path, so that an installed package need not search for it.
  set(bertprep_nccl_libraries ${NCCL_LIBRARY} CUDA::cudart)
else()
  message(STATUS "no NCCL, hence berttrain trains on a single GPU (libnccl-dev, or -DNCCL_ROOT=)")
endif()
