/* SPDX-License-Identifier: MIT
 *
 * Nothing to do: arguments are bytes. No state.
 */
#include "arguments.h"

char **ab_arguments(int *argc, char **argv)
{
    (void)argc;
    return argv;
}
