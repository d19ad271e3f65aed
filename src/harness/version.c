/* SPDX-License-Identifier: MIT
 *
 * What this program is. The version comes from CMake, which defines it for this file alone, and the
 * commit is a file that every build makes anew: see commit.cmake.
 */
#include "run_facts.h"

#include "os/sanitizer.h"

const char *ab_version_number(void)
{
    return ALLOCBENCH_VERSION;
}

const char *ab_version_compiler(void)
{
#if defined(__clang__)
    return "clang " __clang_version__;
#else
    return "gcc " __VERSION__;
#endif
}

const char *ab_version_build(void)
{
#if AB_HAS_SHADOW
    return "sanitizer";
#elif defined(__OPTIMIZE__)
    return "optimised";
#else
    return "debug";
#endif
}
