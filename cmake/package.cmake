# Debian packages: `cpack` in a build folder makes bertprep_VERSION_ARCH.deb, berttrain_VERSION_ARCH.deb where there is
# a trainer, and python3-bertprep_VERSION_ARCH.deb where it is asked for. dpkg-shlibdeps finds what they depend on.
# scripts/package.sh builds what they hold and calls it.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME bertprep)
set(CPACK_PACKAGE_VENDOR bertprep)
set(CPACK_PACKAGE_CONTACT "The developers of bertprep <bertprep@localhost>")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                                WORLD_READ WORLD_EXECUTE)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL runtime)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME bertprep)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "${PROJECT_DESCRIPTION}
 bertprep turns Wikipedia dumps, WikiText, books and other text into the sharded
 HDF5 files that BERT pretraining reads. It holds the program, its manual pages
 and completions, a sample vocabulary and the catalogues of known datasets.")
# Downloads over https need certificates. dpkg-shlibdeps doesn't see the libraries that are loaded when they are needed.
set(loaded_packages)
get_property(loaded_files GLOBAL PROPERTY bertprep_loaded_files)
foreach(file IN LISTS loaded_files)
  # Some packages name files in /lib that others say are in /usr/lib.
  string(REGEX REPLACE "^/usr" "*" pattern ${file})
  execute_process(COMMAND dpkg-query -S ${pattern} OUTPUT_VARIABLE owner ERROR_QUIET)
  if(owner MATCHES "^([^:, ]+)[:,]")
    list(APPEND loaded_packages ${CMAKE_MATCH_1})
  endif()
endforeach()
list(JOIN loaded_packages ", " loaded_packages)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS "ca-certificates, ${loaded_packages}")
set(CPACK_DEBIAN_TRAINER_PACKAGE_DEPENDS "${loaded_packages}")

if(bertprep_has_trainer)
  list(APPEND CPACK_COMPONENTS_ALL trainer)
  set(CPACK_DEBIAN_TRAINER_PACKAGE_NAME berttrain)
  set(CPACK_COMPONENT_TRAINER_DESCRIPTION "Pretrains BERT on shards of bertprep
 berttrain reads the shards that bertprep makes, and trains with libtorch on one
 or several processes.")
endif()
# Not among CPACK_COMPONENTS_ALL: scripts/package.sh --python builds the module and asks for the package.
if(bertprep_has_python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-bertprep)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  math(EXPR next_python "${Python3_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "python3 (>= 3.${Python3_VERSION_MINOR}), python3 (<< 3.${next_python}), python3-numpy, ${loaded_packages}")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "bertprep, python3-h5py")
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "Data for pretraining BERT, in Python
 The package bertprep makes, reads and judges the data of BERT pretraining from
 Python: the library of the program bertprep.")
endif()
include(CPack)
