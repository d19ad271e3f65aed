/* SPDX-License-Identifier: MIT
 *
 * Ctrl-C, Ctrl-Break and the end of the console, of the session or of the machine, in the terms of
 * signals. The console calls on a thread of its own. State: the first event.
 */
#include "process.h"

#include <windows.h>

static volatile LONG pending;

static BOOL WINAPI on_event(DWORD event)
{
    const LONG number = event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT ? 2 : 15;

    if (InterlockedCompareExchange(&pending, number, 0) != 0) {
        return FALSE; /* the second one ends the process */
    }
    if (number == 15) {
        /* The process ends when this returns: leave the main thread the time Windows grants. */
        Sleep(INFINITE);
    }
    return TRUE;
}

void ab_signals_install(void)
{
    SetConsoleCtrlHandler(NULL, FALSE);
    SetConsoleCtrlHandler(on_event, TRUE);
}

int ab_signal_pending(void)
{
    return (int)pending;
}
