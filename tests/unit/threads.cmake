# SPDX-License-Identifier: MIT
# Tests of threads, of the threads of a cell, and of the scenario handoff.
ab_add_tests(test_threads unit/test_threads.c ab_os)
ab_add_tests(test_handoff unit/test_handoff.c ab_scenarios ab_harness ab_os)
foreach(name IN ITEMS threads handoff)
  ab_add_python_tests(${name} cli/test_${name}.py case --program $<TARGET_FILE:allocbench> ${running})
endforeach()
