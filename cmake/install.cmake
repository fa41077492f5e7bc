# What `cmake --install` copies: the libraries with their headers and package descriptions, the program, the
# vocabularies that the project ships. Rooms and flags are the build's own and stay out.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/bertprep)
install(TARGETS bertprep bertprep_shard EXPORT bertprepTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
        FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(EXPORT bertprepTargets NAMESPACE bertprep:: DESTINATION ${package_folder} COMPONENT development)

configure_package_config_file(cmake/bertprepConfig.cmake.in ${PROJECT_BINARY_DIR}/package/bertprepConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/bertprepConfigVersion.cmake
                                 COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/bertprepConfig.cmake
              ${PROJECT_BINARY_DIR}/package/bertprepConfigVersion.cmake
              cmake/dependencies.cmake cmake/Findlibdeflate.cmake cmake/FindNettle.cmake
        DESTINATION ${package_folder} COMPONENT development)

# Archives are all there is to link, so what they need is for everyone, not for `pkg-config --static` alone.
# The prefix is found from where the file lies, so the tree may be moved.
cmake_path(SET pc_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}/${pc_folder}
           OUTPUT_VARIABLE pc_prefix_from_here)
foreach(description bertprep bertprep_shard)
  configure_file(cmake/${description}.pc.in ${PROJECT_BINARY_DIR}/package/${description}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/package/${description}.pc DESTINATION ${pc_folder} COMPONENT development)
endforeach()

if(BERTPREP_BUILD_TOOLS)
  install(TARGETS bertprep_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
  bertprep_install_manual(bertprep_program runtime)
  install(FILES python/bertprep/rows.py DESTINATION ${CMAKE_INSTALL_DATADIR}/bertprep RENAME bertprep_rows.py
          COMPONENT runtime)
endif()
install(DIRECTORY vocab/ DESTINATION ${CMAKE_INSTALL_DATADIR}/bertprep/vocab COMPONENT runtime
        FILES_MATCHING PATTERN "*.txt" PATTERN "*.json")
install(DIRECTORY datasets/ DESTINATION ${CMAKE_INSTALL_DATADIR}/bertprep/datasets COMPONENT runtime
        FILES_MATCHING PATTERN "*.json")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development FILES_MATCHING PATTERN "*.md")
install(DIRECTORY trainer/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/trainer COMPONENT development
        FILES_MATCHING PATTERN "*.md")
include(cmake/package.cmake)
