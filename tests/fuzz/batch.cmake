bertprep_add_fuzz(NAME index_list ROOMS batch CORPUS corpus/index_list)
