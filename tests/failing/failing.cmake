# SPDX-License-Identifier: MIT
# A library that makes calls fail, and the tests of failing calls, kills and limits.
if(ALLOCBENCH_HAS_GLIBC)
  ab_foreign(failing ../failing/failing.c _GNU_SOURCE)
endif()

foreach(name IN ITEMS injection kills limits exhaustion scarcity)
  set(failing_program $<TARGET_FILE:allocbench_faulty>)
  if(name MATCHES "exhaustion|scarcity")
    set(failing_program $<TARGET_FILE:allocbench>)
  endif()
  ab_add_python_tests(${name} failing/test_${name}.py case --program ${failing_program}
                      --libraries ${foreign_folder} ${running})
endforeach()

# Some hundreds to thousands of runs each.
get_property(failing_tests DIRECTORY PROPERTY TESTS)
list(FILTER failing_tests INCLUDE REGEX "^(injection|kills|limits|exhaustion|scarcity)\\.long_")
if(failing_tests)
  set_tests_properties(${failing_tests} PROPERTIES TIMEOUT 3600)
endif()
