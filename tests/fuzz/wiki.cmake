bertprep_add_fuzz(NAME wiki_braces ROOMS base io stream source wiki CORPUS corpus/wiki_braces)
target_link_libraries(fuzz_wiki_braces PRIVATE bertprep_test_support)
bertprep_add_fuzz(NAME wiki_dump ROOMS base io stream source wiki CORPUS corpus/wiki_dump)
target_link_libraries(fuzz_wiki_dump PRIVATE bertprep_test_support)
bertprep_add_fuzz(NAME wiki_markup ROOMS base io stream source wiki CORPUS corpus/wiki_markup)
target_sources(fuzz_wiki_markup PRIVATE ${PROJECT_SOURCE_DIR}/tests/support/plain_dump.cpp
                                        ${PROJECT_SOURCE_DIR}/tests/support/plain_markup.cpp)
target_link_libraries(fuzz_wiki_markup PRIVATE bertprep_test_support)
