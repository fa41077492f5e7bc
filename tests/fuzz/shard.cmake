# There is no target for the reader: HDF5 1.10 itself crashes within a minute on files made to harm it.
bertprep_add_fuzz(NAME deflate ROOMS base io shard CORPUS corpus/deflate)
target_link_libraries(fuzz_deflate PRIVATE ZLIB::ZLIB)
bertprep_add_fuzz(NAME manifest ROOMS base io shard CORPUS corpus/manifest)
target_link_libraries(fuzz_manifest PRIVATE bertprep_test_support)
bertprep_add_fuzz(NAME inflate ROOMS base io shard CORPUS corpus/inflate)
target_link_libraries(fuzz_inflate PRIVATE ZLIB::ZLIB)
