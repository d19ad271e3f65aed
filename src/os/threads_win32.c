/* SPDX-License-Identifier: MIT
 *
 * Threads of Windows. A gate is a slim lock and a condition variable in the caller's memory. No
 * state.
 */
#include "threads.h"

#include <windows.h>

enum { STACK_BYTES = 1 << 19 };

static DWORD WINAPI run(void *argument)
{
    const ab_thread *thread = argument;

    thread->body(thread->argument);
    return 0;
}

int ab_thread_start(ab_thread *thread, void (*body)(void *argument), void *argument)
{
    *thread = (ab_thread){.body = body, .argument = argument};
    HANDLE handle =
        CreateThread(NULL, STACK_BYTES, run, thread, STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
    if (handle == NULL) {
        return (int)GetLastError();
    }
    thread->handle = (uintptr_t)handle;
    return 0;
}

void ab_thread_join(ab_thread *thread)
{
    WaitForSingleObject((HANDLE)thread->handle, INFINITE);
    CloseHandle((HANDLE)thread->handle);
}

void ab_thread_yield(void)
{
    if (!SwitchToThread()) {
        Sleep(0); /* nobody waits for this CPU; perhaps for another */
    }
}

typedef struct win32_gate {
    SRWLOCK lock;
    CONDITION_VARIABLE changed;
} win32_gate;

_Static_assert(sizeof(win32_gate) <= sizeof(ab_gate), "a gate holds a lock and a condition");

static win32_gate *own_of(ab_gate *gate)
{
    return (win32_gate *)(void *)gate->own.bytes;
}

int ab_gate_init(ab_gate *gate)
{
    InitializeSRWLock(&own_of(gate)->lock);
    InitializeConditionVariable(&own_of(gate)->changed);
    return 0;
}

void ab_gate_free(ab_gate *gate)
{
    (void)gate;
}

void ab_gate_wait(ab_gate *gate, _Atomic uint32_t *word, uint32_t mask, uint32_t value)
{
    win32_gate *own = own_of(gate);

    AcquireSRWLockExclusive(&own->lock);
    while ((atomic_load(word) & mask) == value) {
        SleepConditionVariableSRW(&own->changed, &own->lock, INFINITE, 0);
    }
    ReleaseSRWLockExclusive(&own->lock);
}

void ab_gate_wake(ab_gate *gate)
{
    win32_gate *own = own_of(gate);

    AcquireSRWLockExclusive(&own->lock);
    WakeAllConditionVariable(&own->changed);
    ReleaseSRWLockExclusive(&own->lock);
}
