# SPDX-License-Identifier: MIT
# Tests of the program as a whole, and of the sources.

# The program with a scenario that misbehaves in the place of the real ones. Its own registry.c comes
# first, so that the linker does not take the library's.
add_executable(allocbench_faulty
  faulty/faulty.c faulty/broken_heaps.c
  ${PROJECT_SOURCE_DIR}/src/harness/main.c ${PROJECT_SOURCE_DIR}/src/harness/registry.c)
if(CMAKE_SYSTEM_NAME STREQUAL "Windows")
  target_sources(allocbench_faulty PRIVATE faulty/faulty_win32.c)
else()
  target_sources(allocbench_faulty PRIVATE faulty/faulty_posix.c)
  set_source_files_properties(faulty/faulty_posix.c PROPERTIES
    COMPILE_DEFINITIONS _POSIX_C_SOURCE=200809L)
endif()
target_include_directories(allocbench_faulty BEFORE PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/faulty)
target_include_directories(allocbench_faulty PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(allocbench_faulty PRIVATE ab_harness ab_os ab_settings)

# ab_add_script_test(NAME SCRIPT ARGUMENTS...): python SCRIPT ARGUMENTS.
function(ab_add_script_test name script)
  add_test(NAME ${name}
           COMMAND ${python} -B ${CMAKE_CURRENT_SOURCE_DIR}/${script} ${ARGN})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
endfunction()

set(running)
if(CMAKE_CROSSCOMPILING_EMULATOR)
  # A wine prefix of the build's own, unless WINEPREFIX is set.
  set(running --emulator ${CMAKE_CROSSCOMPILING_EMULATOR} --wine-prefix ${CMAKE_BINARY_DIR}/wine)
endif()

file(GLOB golden CONFIGURE_DEPENDS cli/cases/*.test)
foreach(case IN LISTS golden)
  get_filename_component(name ${case} NAME_WE)
  ab_add_script_test(cli.${name} cli/run_case.py ${case}
                     --program $<TARGET_FILE:allocbench> ${running})
endforeach()

# ab_add_python_tests(PREFIX SCRIPT REGEX ARGUMENTS...): one ctest entry per line that matches.
function(ab_add_python_tests prefix script regex)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${script})
  file(STRINGS ${script} lines REGEX "^def ${regex}_")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^def ${regex}_([a-z0-9_]+).*" "\\1" case "${line}")
    if(case MATCHES "^long_" AND NOT ALLOCBENCH_LONG_TESTS)
      continue()
    endif()
    ab_add_script_test(${prefix}.${case} ${script} ${case} ${ARGN})
  endforeach()
endfunction()

foreach(name IN ITEMS output csv granularity streams statistics memory verbs terminal)
  ab_add_python_tests(${name} cli/test_${name}.py case
                      --program $<TARGET_FILE:allocbench> ${running})
endforeach()
foreach(name IN ITEMS faults signals)
  ab_add_python_tests(${name} cli/test_${name}.py case
                      --program $<TARGET_FILE:allocbench_faulty> ${running})
endforeach()

ab_add_python_tests(lint lint/lint.py rule --compiler ${CMAKE_C_COMPILER})
