# Compiling the tests is most of what a release build takes. What they test is compiled as users get it; what they say
# themselves takes next to nothing to run, except where they go through much data, and is compiled fast.
# Every *_test.cpp includes <gtest/gtest.h> by some header, so to find it compiled already hides nothing that a source
# forgets; other sources don't find it. A compiler cache does more, and knows such headers badly.
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(bertprep_compiles_tests_fast ON)
endif()
function(bertprep_compile_fast target)
  if(NOT bertprep_compiles_tests_fast)
    return()
  endif()
  target_compile_options(${target} PRIVATE -O0)
  # What libtorch defines makes another header of it.
  if(NOT CMAKE_CXX_COMPILER_LAUNCHER AND NOT CMAKE_UNITY_BUILD AND NOT "${ARGN}" MATCHES "torch")
    get_property(first GLOBAL PROPERTY bertprep_first_test)
    if(first)
      target_precompile_headers(${target} REUSE_FROM ${first})
    else()
      target_precompile_headers(${target} PRIVATE <gtest/gtest.h>)
      set_property(GLOBAL PROPERTY bertprep_first_test ${target})
    endif()
    get_target_property(others ${target} SOURCES)
    list(FILTER others INCLUDE REGEX "\\.cpp$")
    list(FILTER others EXCLUDE REGEX "_test\\.cpp$")
    set_source_files_properties(${others} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()

# One test binary from the rooms it looks into; each TEST in it is a ctest test. ENVIRONMENT is one variable.
#   bertprep_add_test(NAME text_test ROOMS base text SOURCES utf8_test.cpp LABELS unit)
function(bertprep_add_test)
  cmake_parse_arguments(TEST "" "NAME;ENVIRONMENT" "ROOMS;SOURCES;LABELS;LINK" ${ARGN})
  add_executable(${TEST_NAME} ${TEST_SOURCES})
  bertprep_group_sources(${TEST_NAME})
  bertprep_link_rooms(${TEST_NAME} ${TEST_ROOMS})
  target_link_libraries(${TEST_NAME} PRIVATE bertprep_test_support GTest::gtest GTest::gtest_main GTest::gmock
                                             ${TEST_LINK})
  set_target_properties(${TEST_NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  # One label that says all ("unit-threads"): a list does not survive the discovery, and ctest -L takes an expression.
  list(JOIN TEST_LABELS "-" labels)
  if(NOT labels MATCHES "property|golden|slow")
    bertprep_compile_fast(${TEST_NAME} ${TEST_LINK})
  endif()
  set(properties LABELS "${labels}" TIMEOUT 600)
  # What takes longest starts first, so that it isn't what all wait for in the end.
  if(labels MATCHES "slow|mpi")
    list(APPEND properties COST 100)
  endif()
  if(TEST_ENVIRONMENT)
    list(APPEND properties ENVIRONMENT "${TEST_ENVIRONMENT}")
  endif()
  gtest_discover_tests(${TEST_NAME} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 PROPERTIES ${properties})
endfunction()

# A fuzz target: with libFuzzer where it is asked for, otherwise a program that replays its corpus folder as a normal
# test.
#   bertprep_add_fuzz(NAME utf8 ROOMS base text CORPUS corpus/utf8)       source: utf8_fuzz.cpp
function(bertprep_add_fuzz)
  cmake_parse_arguments(FUZZ "" "NAME;CORPUS" "ROOMS" ${ARGN})
  set(target fuzz_${FUZZ_NAME})
  add_executable(${target} ${FUZZ_NAME}_fuzz.cpp)
  bertprep_link_rooms(${target} ${FUZZ_ROOMS})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  set(corpus ${CMAKE_CURRENT_SOURCE_DIR}/${FUZZ_CORPUS})
  if(BERTPREP_LIBFUZZER)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer)
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    add_test(NAME ${target} COMMAND ${target} -runs=0 ${corpus})
  else()
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:fuzz_replay>)
    add_test(NAME ${target} COMMAND ${target} ${corpus})
  endif()
  set_tests_properties(${target} PROPERTIES LABELS fuzz TIMEOUT 300)
endfunction()
