bertprep_add_fuzz(NAME sentences ROOMS base io text CORPUS corpus/sentences)
target_link_libraries(fuzz_sentences PRIVATE bertprep_test_support)
bertprep_add_fuzz(NAME utf8 ROOMS base io text CORPUS corpus/utf8)
