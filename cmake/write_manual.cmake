# cmake -DEMULATOR=… -DPROGRAM=… -DFOLDER=… -P write_manual.cmake: writes the manual pages and completions of PROGRAM
# below FOLDER, which corresponds to a `share` folder.
cmake_path(GET PROGRAM FILENAME name)
file(REMOVE_RECURSE "${FOLDER}")

function(write_completion shell file)
  cmake_path(GET file PARENT_PATH folder)
  file(MAKE_DIRECTORY "${FOLDER}/${folder}")
  execute_process(COMMAND ${EMULATOR} "${PROGRAM}" completion ${shell} OUTPUT_FILE "${FOLDER}/${file}"
                  COMMAND_ERROR_IS_FATAL ANY)
endfunction()

write_completion(bash bash-completion/completions/${name})
write_completion(zsh zsh/site-functions/_${name})
write_completion(fish fish/vendor_completions.d/${name}.fish)
execute_process(COMMAND ${EMULATOR} "${PROGRAM}" man --output "${FOLDER}/man/man1" COMMAND_ERROR_IS_FATAL ANY)
