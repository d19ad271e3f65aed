/* SPDX-License-Identifier: MIT
 *
 * What is known of the terminal behind stdout and stderr. No state.
 */
#include "output.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int file_of(bool error_stream)
{
    return error_stream ? STDERR_FILENO : STDOUT_FILENO;
}

bool ab_terminal_is_terminal(bool error_stream)
{
    return isatty(file_of(error_stream)) == 1;
}

bool ab_terminal_is_smart(bool error_stream)
{
    const char *kind = getenv("TERM");
    return ab_terminal_is_terminal(error_stream) && kind != NULL && kind[0] != '\0' &&
           strcmp(kind, "dumb") != 0;
}

int ab_terminal_columns(bool error_stream)
{
    struct winsize size;

    if (ioctl(file_of(error_stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        return size.ws_col;
    }
    return 80;
}
