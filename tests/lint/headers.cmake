# Self-contained headers: each compiles when it is the first thing that a source includes. The public ones are compiled
# by CMake's own check of header sets. Of the others most are what the source beside them includes first; for the rest
# one source a header is made here. Both checks are built by their tests, not before.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
     ${PROJECT_SOURCE_DIR}/src/*.h ${PROJECT_SOURCE_DIR}/tools/*.h ${PROJECT_SOURCE_DIR}/tests/support/*.h
     ${PROJECT_SOURCE_DIR}/tests/twins/*.h ${PROJECT_SOURCE_DIR}/trainer/*.h)
list(FILTER headers EXCLUDE REGEX "^trainer/(tests|include)/")
if(NOT bertprep_has_trainer)
  list(FILTER headers EXCLUDE REGEX "^trainer/torch/")
endif()
set(header_sources)
foreach(header IN LISTS headers)
  cmake_path(GET header FILENAME file)
  cmake_path(REPLACE_EXTENSION header cpp OUTPUT_VARIABLE beside)
  set(first "")
  if(EXISTS ${PROJECT_SOURCE_DIR}/${beside})
    file(STRINGS ${PROJECT_SOURCE_DIR}/${beside} first REGEX "^#include" LIMIT_COUNT 1)
  endif()
  if(NOT first MATCHES "[/\"]${file}\"$")
    string(REGEX REPLACE "[/.]" "_" source ${header})
    set(source ${CMAKE_CURRENT_BINARY_DIR}/headers/${source}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"@PROJECT_SOURCE_DIR@/@header@\"\n" @ONLY)
    list(APPEND header_sources ${source})
  endif()
endforeach()
add_library(bertprep_private_headers OBJECT EXCLUDE_FROM_ALL ${header_sources})
target_include_directories(bertprep_private_headers PRIVATE
  ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/tools ${PROJECT_SOURCE_DIR}/tests
  ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/trainer/include
  ${PROJECT_BINARY_DIR}/generated)
target_link_libraries(bertprep_private_headers PRIVATE
  bertprep_loaded_ARCHIVE bertprep_loaded_HDF5
  bertprep_flags GTest::gtest HDF5::HDF5 ICU::uc Nettle::nettle simdjson::simdjson TBB::tbb ZLIB::ZLIB)
target_compile_options(bertprep_private_headers PRIVATE -O0 -g0 -Wno-unused-function -Wno-unused-const-variable)

# A header that leans on what was included before it, to see the check fail.
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/leaning.h CONTENT "#pragma once\nstd::string leaning();\n")
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/headers/leaning.cpp
     CONTENT "#include \"@CMAKE_CURRENT_BINARY_DIR@/leaning.h\"\n" @ONLY)
add_library(bertprep_leaning_header OBJECT EXCLUDE_FROM_ALL ${CMAKE_CURRENT_BINARY_DIR}/headers/leaning.cpp)

function(bertprep_add_header_test name target)
  add_test(NAME lint.${name}
           COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --config $<CONFIG> --target ${target})
  # One build of the folder at a time.
  set_tests_properties(lint.${name} PROPERTIES LABELS lint RESOURCE_LOCK build_folder TIMEOUT 600)
endfunction()
bertprep_add_header_test(public_headers all_verify_interface_header_sets)
bertprep_add_header_test(private_headers bertprep_private_headers)
bertprep_add_header_test(headers.self_test bertprep_leaning_header)
set_tests_properties(lint.headers.self_test PROPERTIES PASS_REGULAR_EXPRESSION "leaning\\.h:2:[0-9]+: error")
