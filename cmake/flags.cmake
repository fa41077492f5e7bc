# Flags for this project's own code only; nothing here reaches a consumer.
add_library(bertprep_flags INTERFACE)
target_compile_options(bertprep_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast
                                                -Wcast-align -Woverloaded-virtual)
# A product and a sum fused into one instruction round once instead of twice: the processors that have it, arm64 among
# them, would write other bytes.
target_compile_options(bertprep_flags INTERFACE -ffp-contract=off)
# GCC 12 sees overlapping copies in std::string and unset values in std::optional that are not there (GCC bugs 105329
# and 80635).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(bertprep_flags INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
  # In a group of sources, what one of them declares for itself looks like a header's.
  if(CMAKE_UNITY_BUILD)
    target_compile_options(bertprep_flags INTERFACE -Wno-subobject-linkage)
  endif()
endif()
if(BERTPREP_WERROR)
  target_compile_options(bertprep_flags INTERFACE -Werror)
endif()
if(BERTPREP_NATIVE)
  target_compile_options(bertprep_flags INTERFACE -march=native)
endif()
# With several sources compiled together, equal names in them would count as shadowed.
if(CMAKE_UNITY_BUILD)
  target_compile_options(bertprep_flags INTERFACE -Wno-shadow)
endif()
# The fuzzer steers by the branches that an input reaches, in all code of the project.
if(BERTPREP_LIBFUZZER)
  target_compile_options(bertprep_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(BERTPREP_SANITIZE)
  target_compile_definitions(bertprep_flags INTERFACE BERTPREP_SANITIZED)
  target_compile_options(bertprep_flags INTERFACE -fsanitize=${BERTPREP_SANITIZE} -fno-omit-frame-pointer
                                                  -fno-sanitize-recover=all)
  # In the code of tests, these checks find only what crashes anyway, and take a sixth of the time to compile it.
  if(BERTPREP_SANITIZE MATCHES "undefined")
    target_compile_options(
      bertprep_flags
      INTERFACE $<$<BOOL:$<TARGET_PROPERTY:BERTPREP_IS_TEST>>:-fno-sanitize=null,alignment,vptr,object-size>)
  endif()
  target_link_options(bertprep_flags INTERFACE -fsanitize=${BERTPREP_SANITIZE})
  find_program(BERTPREP_LLD ld.lld DOC "A faster linker for the large programs of sanitizers")
  if(BERTPREP_LLD)
    target_link_options(bertprep_flags INTERFACE -fuse-ld=lld)
  endif()
endif()

# bertprep_compile_fast(TARGET LEVEL): in optimised builds, compiles TARGET at LEVEL, as its time to run is nothing
# beside its time to compile: tests that don't go through much data, and the program's options and words. What they call
# is compiled as users get it.
function(bertprep_compile_fast target level)
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    target_compile_options(${target} PRIVATE ${level})
  endif()
endfunction()

# For the programs' own files.
set(bertprep_program_level -O1)
if(BERTPREP_SANITIZE)
  set(bertprep_program_level -O0)
endif()

# bertprep_start_fast(TARGET LIBRARIES...): leaves the loader of TARGET, a program, half the work. Archives of the small
# LIBRARIES, where the distribution has them, stand before the shared ones, which nothing needs then; and addresses
# within the program are known when it is linked.
function(bertprep_start_fast target)
  if(BERTPREP_SANITIZE OR BERTPREP_LIBFUZZER OR NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
    return()
  endif()
  foreach(library IN LISTS ARGN)
    bertprep_shared_library(file "" ${library})
    string(REGEX REPLACE "\\.so[0-9.]*$" ".a" archive "${file}")
    if(archive AND EXISTS ${archive})
      target_link_libraries(${target} PRIVATE ${archive})
    endif()
  endforeach()
  target_link_options(${target} PRIVATE -no-pie -Wl,--as-needed)
endfunction()
