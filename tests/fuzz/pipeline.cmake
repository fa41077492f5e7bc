foreach(name announcement array_plan attempt bundle completion_record config_file assignment origins run_journal
             saved_index sentence_index)
  bertprep_add_fuzz(NAME ${name} ROOMS base io shard text pipeline CORPUS corpus/${name})
  target_link_libraries(fuzz_${name} PRIVATE bertprep_test_support)
endforeach()
