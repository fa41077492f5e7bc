bertprep_add_fuzz(NAME packed ROOMS base io stream CORPUS corpus/packed)
target_link_libraries(fuzz_packed PRIVATE bertprep_test_support)
bertprep_add_fuzz(NAME bzip2_block ROOMS base io stream CORPUS corpus/bzip2_block)
target_link_libraries(fuzz_bzip2_block PRIVATE bertprep_test_support)
