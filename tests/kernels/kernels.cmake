# SPDX-License-Identifier: MIT
# The timed loops hold no indirect call. Says nothing about builds without optimisation.
if(CMAKE_BUILD_TYPE STREQUAL "Debug" OR ALLOCBENCH_SANITIZE)
  set(kernels_command ${CMAKE_COMMAND} -E echo "skipped: built without optimisation")
  set(kernels_skip "skipped:")
else()
  set(kernels_command ${python} ${CMAKE_CURRENT_SOURCE_DIR}/kernels/disassemble.py
                      ${CMAKE_OBJDUMP})
  list(APPEND kernels_command $<TARGET_OBJECTS:ab_scenarios>)
endif()
add_test(NAME kernels.no_indirect_call COMMAND ${kernels_command} COMMAND_EXPAND_LISTS)
if(kernels_skip)
  set_tests_properties(kernels.no_indirect_call PROPERTIES SKIP_REGULAR_EXPRESSION ${kernels_skip})
endif()
