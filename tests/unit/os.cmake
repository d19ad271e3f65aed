# SPDX-License-Identifier: MIT
# Tests of src/os/.
if(CMAKE_SYSTEM_NAME STREQUAL "Windows")
  set(os_test_platform unit/test_os_platform_win32.c)
else()
  set(os_test_platform unit/test_os_platform_posix.c)
  set_source_files_properties(${os_test_platform} PROPERTIES
    COMPILE_DEFINITIONS "_POSIX_C_SOURCE=200809L;_XOPEN_SOURCE=700")
endif()
foreach(name IN ITEMS os_clock os_machine os_output os_process pages pages_bound
        pages_fault)
  ab_add_tests(test_${name} unit/test_${name}.c ab_os)
  target_sources(test_${name} PRIVATE ${os_test_platform})
endforeach()
