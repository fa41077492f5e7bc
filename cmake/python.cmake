# The Python package is built where pybind11 and the headers of Python are found, left out with one line where they are
# not: it takes a minute to compile, and nothing else of the project needs it. Sanitizers leave it out unless it is
# asked for with ON, as an interpreter must then load their runtime first.
set(BERTPREP_WITH_PYTHON AUTO CACHE STRING
    "Build the Python package: ON, OFF, or AUTO (in the project's own build, if there is pybind11)")
set(BERTPREP_PYTHON_FOLDER lib/python3/dist-packages CACHE STRING
    "Where the Python package is installed, below the prefix")

set(bertprep_has_python OFF)
if(BERTPREP_WITH_PYTHON STREQUAL "AUTO"
   AND (BERTPREP_SANITIZE OR BERTPREP_LIBFUZZER OR NOT PROJECT_IS_TOP_LEVEL))
  set(wants_python OFF)
else()
  set(wants_python ${BERTPREP_WITH_PYTHON})
endif()
if(wants_python)
  find_package(Python3 QUIET COMPONENTS Interpreter Development.Module)
  if(Python3_Development.Module_FOUND)
    find_package(pybind11 QUIET CONFIG)
  endif()
  if(pybind11_FOUND)
    set(bertprep_has_python ON)
  elseif(BERTPREP_WITH_PYTHON STREQUAL "AUTO")
    message(STATUS "no pybind11, hence no Python package (scripts/install-deps.sh --python)")
  else()
    message(FATAL_ERROR "no pybind11 or no headers of Python: scripts/install-deps.sh --python installs them")
  endif()
endif()
