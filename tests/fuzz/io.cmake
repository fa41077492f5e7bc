bertprep_add_fuzz(NAME json ROOMS base io CORPUS corpus/json)
