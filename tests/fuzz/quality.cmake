bertprep_add_fuzz(NAME parquet ROOMS base io shard quality CORPUS corpus/parquet)
