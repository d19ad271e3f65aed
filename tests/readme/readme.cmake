# SPDX-License-Identifier: MIT
# The README against the sources and the program. Only where the program runs natively.
if(NOT CMAKE_CROSSCOMPILING AND NOT ALLOCBENCH_SANITIZE)
  foreach(case columns lists toy_text toy_backend)
    add_test(NAME readme.${case}
             COMMAND ${python} ${CMAKE_CURRENT_SOURCE_DIR}/readme/readme.py ${case}
                     --source ${PROJECT_SOURCE_DIR} --program $<TARGET_FILE:allocbench>)
  endforeach()
endif()
