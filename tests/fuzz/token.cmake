bertprep_add_fuzz(NAME tokenizer ROOMS base io text token CORPUS corpus/tokenizer)
target_link_libraries(fuzz_tokenizer PRIVATE bertprep_test_support)
bertprep_add_fuzz(NAME vocab ROOMS base io text token CORPUS corpus/vocab)
