bertprep_add_fuzz(NAME safetensors ROOMS base io shard trainer CORPUS corpus/safetensors)
