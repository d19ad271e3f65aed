/* SPDX-License-Identifier: MIT
 *
 * A library without malloc and without a table. The C library that it needs has a malloc, which is
 * not to be taken for its own.
 */
#include "allocbench/compiler.h"

#include <stdlib.h>

AB_EXPORT void *ab_bare(void);

void *ab_bare(void)
{
    return malloc(1);
}
