foreach(name books jsonl_source pubmed_source table_source wikitext_source)
  bertprep_add_fuzz(NAME ${name} ROOMS base io source CORPUS corpus/${name})
  target_link_libraries(fuzz_${name} PRIVATE bertprep_test_support)
endforeach()
