/* SPDX-License-Identifier: MIT
 *
 * A library that ends the process that loads it.
 */
#include <stdlib.h>

__attribute__((constructor)) static void end(void)
{
    abort();
}
