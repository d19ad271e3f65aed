/* SPDX-License-Identifier: MIT
 *
 * What pages_posix.c needs to know of FreeBSD and systems like it. Included there alone.
 */
#ifndef AB_OS_PAGES_UNIX_H
#define AB_OS_PAGES_UNIX_H

#include "pages_remap.h"

/* RLIMIT_AS is enforced; a span would need to know what is mapped. */
static void unix_page_info(ab_page_info *info)
{
    info->can = AB_PAGES_CAN_PURGE | AB_PAGES_CAN_BOUND;
}

#endif
