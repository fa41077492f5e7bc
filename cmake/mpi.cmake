# bertprep_find_mpi(): MPI_C_FOUND, and MPI::MPI_C where there is an MPI to build with. CMake's module believes the
# compiler's wrapper, which comes with the runtime: with no headers beside it, no project could be configured.
macro(bertprep_find_mpi)
  find_program(BERTPREP_MPICC NAMES ${MPI_C_COMPILER} mpicc DOC "The wrapper that knows where MPI's headers are")
  mark_as_advanced(BERTPREP_MPICC)
  set(mpi_header_missing 0)
  if(BERTPREP_MPICC)
    file(WRITE ${PROJECT_BINARY_DIR}/includes_mpi.c "#include <mpi.h>\n")
    execute_process(COMMAND ${BERTPREP_MPICC} -E ${PROJECT_BINARY_DIR}/includes_mpi.c
                    RESULT_VARIABLE mpi_header_missing OUTPUT_QUIET ERROR_QUIET)
  endif()
  if(mpi_header_missing)
    set(MPI_C_FOUND FALSE)
    message(STATUS "MPI's runtime is here, but not its headers (libopenmpi-dev)")
  else()
    find_package(MPI QUIET COMPONENTS C)
  endif()
endmacro()
