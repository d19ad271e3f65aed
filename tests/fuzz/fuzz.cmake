# SPDX-License-Identifier: MIT
# Fuzz targets, for clang: -DALLOCBENCH_FUZZ=ON builds everything with coverage for the fuzzer and the
# sanitizers. .ci/fuzz runs them; without it they are not built.
if(ALLOCBENCH_FUZZ)
  foreach(name IN ITEMS options values cell protocol)
    add_executable(fuzz_${name} fuzz/fuzz_${name}.c)
    target_link_libraries(fuzz_${name} PRIVATE ab_scenarios ab_harness ab_os)
    target_include_directories(fuzz_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  endforeach()
endif()
