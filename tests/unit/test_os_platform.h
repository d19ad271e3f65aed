/* SPDX-License-Identifier: MIT
 *
 * The few things that tests of src/os/ must do in the platform's own words. One file per platform,
 * chosen by CMake. No state.
 */
#ifndef AB_TEST_OS_PLATFORM_H
#define AB_TEST_OS_PLATFORM_H

#include <stdbool.h>
#include <stdint.h>

uint64_t test_process_id(void);
/* Whether that process still runs; a zombie does not. */
bool test_is_process_running(uint64_t id);
/* False where a program cannot interrupt itself alone. */
bool test_interrupt_self(void);
/* From here on no file can grow above `bytes` (UINT64_MAX: as before); false where that cannot be
 * had. */
bool test_limit_file_size(uint64_t bytes);
/* Name of the null device. */
const char *test_null_device(void);

#endif
