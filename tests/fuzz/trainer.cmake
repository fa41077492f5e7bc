bertprep_add_fuzz(NAME safetensors ROOMS base io shard trainer CORPUS corpus/safetensors)
bertprep_add_fuzz(NAME pickle ROOMS base io shard trainer CORPUS corpus/pickle)
bertprep_add_fuzz(NAME torch_file ROOMS base io shard trainer CORPUS corpus/torch_file)
