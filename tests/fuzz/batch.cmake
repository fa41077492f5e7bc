bertprep_add_fuzz(NAME index_list ROOMS batch CORPUS corpus/index_list)
bertprep_add_fuzz(NAME submission_journal ROOMS base io batch CORPUS corpus/submission_journal)
target_link_libraries(fuzz_submission_journal PRIVATE bertprep_test_support)
