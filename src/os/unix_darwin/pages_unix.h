/* SPDX-License-Identifier: MIT
 *
 * What pages_posix.c needs to know of macOS. Included there alone.
 */
#ifndef AB_OS_PAGES_UNIX_H
#define AB_OS_PAGES_UNIX_H

#include "pages_remap.h"

/* No bound: the system accepts RLIMIT_AS and does not enforce it. */
static void unix_page_info(ab_page_info *info)
{
    info->can = AB_PAGES_CAN_PURGE;
}

#endif
