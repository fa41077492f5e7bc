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
  set(properties LABELS "${labels}" TIMEOUT 600)
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
    target_sources(${target} PRIVATE replay_main.cpp)
    add_test(NAME ${target} COMMAND ${target} ${corpus})
  endif()
  set_tests_properties(${target} PROPERTIES LABELS fuzz TIMEOUT 300)
endfunction()
