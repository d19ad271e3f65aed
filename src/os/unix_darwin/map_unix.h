/* SPDX-License-Identifier: MIT
 *
 * Flags of mmap for reservations on macOS.
 */
#ifndef AB_OS_MAP_UNIX_H
#define AB_OS_MAP_UNIX_H

#define UNIX_MAP_FD (-1)
#define UNIX_MAP_NORESERVE MAP_NORESERVE

#endif
