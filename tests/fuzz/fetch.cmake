foreach(name catalogue fetch_record)
  bertprep_add_fuzz(NAME ${name} ROOMS base io stream fetch CORPUS corpus/${name})
  target_link_libraries(fuzz_${name} PRIVATE bertprep_test_support)
endforeach()
