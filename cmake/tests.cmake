# What nearly every test includes is compiled once. Not for optimized tests: GCC 12 warns about these headers then, and
# tests that use libtorch need its definitions.
function(bertprep_precompile_headers target)
  set(headers bertprep_test_headers)
  if(NOT TARGET ${headers})
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/tests/headers.cpp CONTENT "")
    add_library(${headers} OBJECT ${PROJECT_BINARY_DIR}/tests/headers.cpp)
    target_link_libraries(${headers} PRIVATE bertprep_flags bertprep_test_support GTest::gtest GTest::gmock)
    bertprep_compile_fast(${headers} -O0)
    # The tests are programs, whose code may be placed anywhere.
    set_target_properties(${headers} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${headers} PRIVATE -fPIE)
    target_precompile_headers(${headers} PRIVATE
      <gmock/gmock.h> <gtest/gtest.h> <algorithm> <chrono> <filesystem> <fstream> <functional> <map> <numeric> <random>
      <set> <sstream> <string> <thread> <vector>)
  endif()
  target_precompile_headers(${target} REUSE_FROM ${headers})
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
  if(labels MATCHES "property|golden|slow")
    set(level -O1)
  else()
    set(level -O0)
  endif()
  bertprep_compile_fast(${TEST_NAME} ${level})
  if(BERTPREP_PRECOMPILE_TESTS AND level STREQUAL "-O0")
    bertprep_precompile_headers(${TEST_NAME})
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
#   bertprep_add_fuzz(NAME utf8 ROOMS base text)       source: utf8_fuzz.cpp, seeds: corpus/utf8
function(bertprep_add_fuzz)
  cmake_parse_arguments(FUZZ "" "NAME" "ROOMS" ${ARGN})
  set(target fuzz_${FUZZ_NAME})
  add_executable(${target} ${FUZZ_NAME}_fuzz.cpp)
  bertprep_link_rooms(${target} ${FUZZ_ROOMS})
  target_link_libraries(${target} PRIVATE bertprep_test_support)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  set(corpus ${CMAKE_CURRENT_SOURCE_DIR}/corpus/${FUZZ_NAME})
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
