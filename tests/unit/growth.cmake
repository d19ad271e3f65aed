# SPDX-License-Identifier: MIT
# Tests of the scenarios growth and pages.
foreach(name IN ITEMS growth page_truth trend)
  ab_add_tests(test_${name} unit/test_${name}.c ab_scenarios ab_harness ab_os)
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/bench)
endforeach()
if(COMMAND ab_add_python_tests)
  ab_add_python_tests(growth cli/test_growth.py case --program $<TARGET_FILE:allocbench> ${running})
endif()
