bertprep_add_fuzz(NAME parquet ROOMS base io shard quality CORPUS corpus/parquet)
bertprep_add_fuzz(NAME megatron ROOMS base io shard shard_megatron quality quality_sequences CORPUS corpus/megatron)
