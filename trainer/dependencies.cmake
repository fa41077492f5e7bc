# The trainer is a component: built where libtorch is found, left out with one line where it is not. Sanitizers leave it
# out unless it is asked for with ON, as libtorch is not built for them; its parts that need no libtorch are tested
# there all the same.
set(BERTPREP_BUILD_TRAINER AUTO CACHE STRING
    "Build bertprep::trainer and berttrain: ON, OFF, or AUTO (if there is libtorch)")

set(bertprep_has_trainer OFF)
if(BERTPREP_BUILD_TRAINER STREQUAL "AUTO" AND (BERTPREP_SANITIZE OR BERTPREP_LIBFUZZER))
  set(wants_trainer OFF)
else()
  set(wants_trainer ${BERTPREP_BUILD_TRAINER})
endif()
if(wants_trainer)
  # What libtorch's package says about its own dependencies is of no use here.
  set(log_level ${CMAKE_MESSAGE_LOG_LEVEL})
  include(trainer/cuda_torch.cmake)
  set(CMAKE_MESSAGE_LOG_LEVEL ERROR)
  if(BERTPREP_BUILD_TRAINER STREQUAL "AUTO")
    find_package(Torch QUIET)
  else()
    find_package(Torch REQUIRED)
  endif()
  set(CMAKE_MESSAGE_LOG_LEVEL ${log_level})
  if(TARGET torch AND TORCH_CXX_FLAGS MATCHES "CXX11_ABI=0")
    message(WARNING "this libtorch has the C++ library's old ABI, hence no berttrain (take PyTorch 2.7 or newer)")
  elseif(TARGET torch)
    set(bertprep_has_trainer ON)
    find_package(OpenMP REQUIRED COMPONENTS CXX)
  else()
    message(STATUS "no libtorch, hence no berttrain (scripts/install-deps.sh --with-trainer)")
  endif()
endif()

# Several processes, and several machines, need MPI; without it berttrain is a single process.
option(BERTPREP_WITH_MPI "Let berttrain run as several processes, if there is MPI" ON)
set(bertprep_has_mpi OFF)
if(bertprep_has_trainer AND BERTPREP_WITH_MPI)
  bertprep_find_mpi()
  if(MPI_C_FOUND)
    set(bertprep_has_mpi ON)
  else()
    message(STATUS "no MPI, hence berttrain is a single process (libopenmpi-dev openmpi-bin)")
  endif()
endif()

# Several GPUs exchange values by NCCL.
option(BERTPREP_WITH_NCCL "Let berttrain's processes train on a GPU each, if libtorch has CUDA and there is NCCL" ON)
set(bertprep_has_nccl OFF)
if(bertprep_has_trainer AND BERTPREP_WITH_NCCL AND TARGET torch_cuda)
  include(trainer/nccl.cmake)
endif()
