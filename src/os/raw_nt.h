/* SPDX-License-Identifier: MIT
 *
 * NtAllocateVirtualMemory, the system call below VirtualAlloc, found in ntdll at run time.
 * Elsewhere it is absent as raw_pages.h says. Look it up once with ab_raw_nt_find; its address is
 * the only state.
 */
#ifndef AB_OS_RAW_NT_H
#define AB_OS_RAW_NT_H

#include <stddef.h>

/* 0, or a code when there is none. Before any ab_raw_nt_commit. */
int ab_raw_nt_find(void);
/* MEM_COMMIT of a reserved range. 0 or a positive OS error code. */
int ab_raw_nt_commit(void *base, size_t bytes);

#endif
