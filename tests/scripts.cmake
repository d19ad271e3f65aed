# SPDX-License-Identifier: MIT
# Tests of the Python scripts: one ctest entry per case.
if(Python3_Interpreter_FOUND)
  foreach(part IN ITEMS reading statistics tables claims advice compare plot record)
    set(file ${CMAKE_CURRENT_SOURCE_DIR}/scripts/test_${part}.py)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(STRINGS ${file} cases REGEX "^def case_")
    foreach(line IN LISTS cases)
      string(REGEX REPLACE "^def case_([a-z0-9_]+)\\(.*" "\\1" case "${line}")
      add_test(NAME scripts_${part}.${case} COMMAND ${python} -B ${file} ${case})
      set_tests_properties(scripts_${part}.${case} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
    endforeach()
  endforeach()
endif()
