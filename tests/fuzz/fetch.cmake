bertprep_add_fuzz(NAME fetch_record ROOMS base io stream fetch CORPUS corpus/fetch_record)
target_link_libraries(fuzz_fetch_record PRIVATE bertprep_test_support)
