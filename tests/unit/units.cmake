# SPDX-License-Identifier: MIT
# Tests of the harness's pure parts.
foreach(unit values stats streams protocol turns histogram foreign sampler progress table)
  ab_add_tests(test_${unit} unit/test_${unit}.c ab_scenarios ab_harness)
endforeach()
