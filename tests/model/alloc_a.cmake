# SPDX-License-Identifier: MIT
# Model tests of pool, arena and smallobj. An argument after the case's name sets the operations.
add_library(ab_model STATIC model/model.c)
target_link_libraries(ab_model PUBLIC ab_settings)
target_include_directories(ab_model PUBLIC ${PROJECT_SOURCE_DIR}/tests)
foreach(name pool arena smallobj)
  ab_add_tests(test_model_${name} model/test_model_${name}.c ab_model ab_alloc ab_os)
endforeach()
