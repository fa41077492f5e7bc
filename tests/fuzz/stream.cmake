bertprep_add_fuzz(NAME packed ROOMS base io stream CORPUS corpus/packed)
target_link_libraries(fuzz_packed PRIVATE bertprep_test_support)
