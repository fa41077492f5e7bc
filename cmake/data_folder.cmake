# Programs find their data relative to themselves, so an installed tree may be moved. The build tree has the same
# layout: the program in bin, and next to it links to the project's data.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_DATADIR BASE_DIRECTORY ${CMAKE_INSTALL_FULL_BINDIR}
           OUTPUT_VARIABLE BERTPREP_DATA_FROM_PROGRAM)
string(APPEND BERTPREP_DATA_FROM_PROGRAM /bertprep)

cmake_path(SET build_data NORMALIZE ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${BERTPREP_DATA_FROM_PROGRAM})
cmake_path(IS_PREFIX PROJECT_BINARY_DIR ${build_data} within_build)
if(within_build)
  file(MAKE_DIRECTORY ${build_data})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/vocab ${build_data}/vocab SYMBOLIC)
  set(bertprep_build_data ${build_data})
endif()
