# bertprep_install_manual(TARGET COMPONENT): installs the manual pages and completions of a program, which it prints
# itself.
#
# A program built for another machine can't run without an emulator; users can run `PROGRAM man` and
# `PROGRAM completion` there.
function(bertprep_install_manual target component)
  if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    message(STATUS "${target}: no manual pages and completions are installed, since it does not run on this machine")
    return()
  endif()
  set(folder ${PROJECT_BINARY_DIR}/manual/${target})
  install(CODE "
    execute_process(COMMAND \"${CMAKE_COMMAND}\" \"-DEMULATOR=${CMAKE_CROSSCOMPILING_EMULATOR}\"
                            \"-DPROGRAM=$<TARGET_FILE:${target}>\" \"-DFOLDER=${folder}\"
                            -P \"${PROJECT_SOURCE_DIR}/cmake/write_manual.cmake\"
                    COMMAND_ERROR_IS_FATAL ANY)
    file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}\" TYPE DIRECTORY
         FILES \"${folder}/\")" COMPONENT ${component})
endfunction()
