bertprep_add_fuzz(NAME wiki_clean ROOMS base io stream source wiki CORPUS corpus/wiki_clean)
target_link_libraries(fuzz_wiki_clean PRIVATE bertprep_test_support)
