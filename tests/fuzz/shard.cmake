# The reader gets damaged chunks alone: HDF5 1.10 itself crashes within a minute on other parts made to harm it.
bertprep_add_fuzz(NAME deflate ROOMS base io shard CORPUS corpus/deflate)
target_link_libraries(fuzz_deflate PRIVATE ZLIB::ZLIB)
bertprep_add_fuzz(NAME inflate ROOMS base io shard CORPUS corpus/inflate)
target_link_libraries(fuzz_inflate PRIVATE ZLIB::ZLIB)
foreach(name manifest shard_chunks)
  bertprep_add_fuzz(NAME ${name} ROOMS base io shard CORPUS corpus/${name})
  target_link_libraries(fuzz_${name} PRIVATE bertprep_test_support)
endforeach()
