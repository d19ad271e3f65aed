# SPDX-License-Identifier: MIT
# Libraries to measure, broken each in its own way, and the tests of --backend lib: and preload:.
set(foreign_folder ${CMAKE_CURRENT_BINARY_DIR}/foreign)

# ab_foreign(NAME SOURCE DEFINITIONS...): libNAME in a folder of their own. Never with a sanitizer, which
# would take malloc for itself.
function(ab_foreign name source)
  add_library(foreign_${name} MODULE foreign/${source})
  set_target_properties(foreign_${name} PROPERTIES PREFIX "lib" OUTPUT_NAME ${name} C_STANDARD 11
    C_EXTENSIONS OFF LIBRARY_OUTPUT_DIRECTORY ${foreign_folder})
  target_include_directories(foreign_${name} PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_compile_definitions(foreign_${name} PRIVATE ${ARGN})
  target_compile_options(foreign_${name} PRIVATE -O2 -Wall -Wextra
    -fno-builtin-malloc -fno-builtin-free -fno-builtin-calloc -fno-builtin-realloc
    $<$<BOOL:${ALLOCBENCH_WERROR}>:-Werror>)
endfunction()

set(whole $<$<NOT:$<PLATFORM_ID:Windows>>:BROKEN_WHOLE>)
ab_foreign(sound broken.c ${whole})
ab_foreign(slow broken.c SLOW_FREE ${whole})
ab_foreign(overlapping broken.c BROKEN_OVERLAP ${whole})
ab_foreign(misaligned broken.c BROKEN_ALIGNMENT ${whole})
ab_foreign(keeping broken.c BROKEN_FREE ${whole})
ab_foreign(aborting aborting.c)
ab_foreign(bare bare.c)
ab_foreign(region plugin.c PLUGIN_TABLE=.typical_ns=2)
ab_foreign(old plugin.c PLUGIN_TABLE=.abi=77)
ab_foreign(holey plugin.c PLUGIN_TABLE=.alloc=NULL)
ab_foreign(crooked plugin.c PLUGIN_TABLE=.alignment=12)
ab_foreign(boastful plugin.c PLUGIN_TABLE=.can=AB_BACKEND_NO_MEMORY)
ab_foreign(nameless plugin.c "PLUGIN_TABLE=.name=\"no name\"")
ab_foreign(garrulous plugin.c PLUGIN_TABLE=.stats=too_many_figures)
ab_foreign(odd plugin.c PLUGIN_TABLE=.stats=odd_figure)
ab_foreign(idle plugin.c PLUGIN_TABLE=.can=AB_BACKEND_FREES_ONE)

if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT CMAKE_CROSSCOMPILING)
  include(CheckSymbolExists)
  check_symbol_exists(__GLIBC__ features.h ALLOCBENCH_HAS_GLIBC)
  if(ALLOCBENCH_HAS_GLIBC)
    ab_foreign(counting counting.c)
  endif()
endif()

ab_add_python_tests(rounds cli/test_rounds.py case --program $<TARGET_FILE:allocbench>
                    --libraries ${foreign_folder} ${running})
foreach(name IN ITEMS foreign broken)
  ab_add_python_tests(${name} foreign/test_${name}.py case --program $<TARGET_FILE:allocbench>
                      --libraries ${foreign_folder} --plugin $<TARGET_FILE:freelist> ${running})
endforeach()
