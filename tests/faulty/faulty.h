/* SPDX-License-Identifier: MIT
 *
 * What a misbehaving worker needs of the OS; one file per platform.
 */
#ifndef AB_FAULTY_H
#define AB_FAULTY_H

#include <stddef.h>

/* Blocks for a long time without using the processor. */
void faulty_sleep(void);
/* Writes to the pipe on which the coordinator expects answers. */
void faulty_answer(const void *data, size_t bytes);

#endif
