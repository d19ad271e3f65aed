# SPDX-License-Identifier: MIT
# The README against the sources and the program. Only where the program runs natively.
if(NOT CMAKE_CROSSCOMPILING AND NOT ALLOCBENCH_SANITIZE)
  set(cases columns lists toy_text commands)
  if(ALLOCBENCH_LONG_TESTS)
    list(APPEND cases toy_backend)
  endif()
  foreach(case IN LISTS cases)
    add_test(NAME readme.${case}
             COMMAND ${python} ${CMAKE_CURRENT_SOURCE_DIR}/readme/readme.py ${case}
                     --source ${PROJECT_SOURCE_DIR} --program $<TARGET_FILE:allocbench>)
  endforeach()
endif()
