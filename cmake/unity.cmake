# With CMAKE_UNITY_BUILD, which all presets but `dev` set, the sources of a target are compiled together: alone, each
# spends most of its time in the same headers again. The preset `dev` compiles each source by itself, so that a change
# costs seconds, and what a source forgets to include is found there.
#
# Each source keeps the names of its anonymous namespace to itself: sources that declare the same name are put into
# different groups. The names are found by how the sources are laid out: what a namespace declares starts its line.
function(bertprep_declared_names result source)
  file(READ ${source} text)
  set(type_names "\n(struct|class|enum class|using) +[A-Za-z_0-9]+( |;|\n)")
  set(words "\n[A-Za-z][A-Za-z0-9_:<>,*& ]* [*&]*")
  string(REGEX MATCHALL "${type_names}" types "${text}")
  string(REGEX MATCHALL "${words}k[A-Z][A-Za-z0-9]*" constants "${text}")
  string(REGEX MATCHALL "${words}[A-Za-z0-9_]+\\(" functions "${text}")
  set(names)
  foreach(declaration IN LISTS types constants functions)
    string(REGEX MATCH "([A-Za-z0-9_]+)[^A-Za-z0-9_]*$" last "${declaration}")
    list(APPEND names ${CMAKE_MATCH_1})
  endforeach()
  list(REMOVE_DUPLICATES names)
  set(${result} ${names} PARENT_SCOPE)
endfunction()

if(NOT CMAKE_UNITY_BUILD_BATCH_SIZE)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 8)
endif()

# Gives SOURCE of TARGET the first group that has room and none of the names that `read` declares: SOURCE, or what it
# includes.
function(bertprep_group_source target source read)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  bertprep_declared_names(names ${read})
  get_target_property(most ${target} UNITY_BUILD_BATCH_SIZE)
  set(group 0)
  while(TRUE)
    get_target_property(size ${target} group_${group}_size)
    get_target_property(taken ${target} group_${group}_names)
    if(NOT size)
      set(size 0)
      set(taken)
    endif()
    set(names_of_its_own ${names})
    list(REMOVE_ITEM names_of_its_own ${taken} "")
    if(size LESS most AND "${names_of_its_own}" STREQUAL "${names}")
      break()
    endif()
    math(EXPR group "${group} + 1")
  endwhile()
  math(EXPR size "${size} + 1")
  set_target_properties(${target} PROPERTIES group_${group}_size ${size} group_${group}_names "${taken};${names}")
  set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${target}_${group})
endfunction()

# Groups the sources of TARGET in its own folder.
function(bertprep_group_sources target)
  if(NOT CMAKE_UNITY_BUILD)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "^[a-z0-9_][a-z0-9_/]*\\.cpp$")
  foreach(source IN LISTS sources)
    bertprep_group_source(${target} ${source} ${CMAKE_CURRENT_SOURCE_DIR}/${source})
  endforeach()
endfunction()
