/* SPDX-License-Identifier: MIT
 *
 * Threads of POSIX. A gate is a mutex and a condition in the caller's memory. No state.
 */
#include "threads.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

/* Enough for what runs in a thread here, sanitizers included, and little enough that 256 of them
 * fit into 32 bits of addresses. */
enum { STACK_BYTES = 1 << 19 };

_Static_assert(sizeof(pthread_t) <= sizeof(uintptr_t), "a handle holds a pthread_t");

static void *run(void *argument)
{
    const ab_thread *thread = argument;

    thread->body(thread->argument);
    return NULL;
}

int ab_thread_start(ab_thread *thread, void (*body)(void *argument), void *argument)
{
    pthread_attr_t attributes;
    pthread_t handle;
    int code = pthread_attr_init(&attributes);

    if (code != 0) {
        return code;
    }
    *thread = (ab_thread){.body = body, .argument = argument};
    code = pthread_attr_setstacksize(&attributes, STACK_BYTES);
    if (code == 0) {
        code = pthread_create(&handle, &attributes, run, thread);
    }
    pthread_attr_destroy(&attributes);
    if (code == 0) {
        memcpy(&thread->handle, &handle, sizeof handle);
    }
    return code;
}

void ab_thread_join(ab_thread *thread)
{
    pthread_t handle;

    memcpy(&handle, &thread->handle, sizeof handle);
    pthread_join(handle, NULL);
}

void ab_thread_yield(void)
{
    sched_yield();
}

typedef struct posix_gate {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
} posix_gate;

_Static_assert(sizeof(posix_gate) <= sizeof(ab_gate), "a gate holds a mutex and a condition");

static posix_gate *own_of(ab_gate *gate)
{
    return (posix_gate *)(void *)gate->own.bytes;
}

int ab_gate_init(ab_gate *gate)
{
    int code = pthread_mutex_init(&own_of(gate)->mutex, NULL);

    if (code != 0) {
        return code;
    }
    code = pthread_cond_init(&own_of(gate)->changed, NULL);
    if (code != 0) {
        pthread_mutex_destroy(&own_of(gate)->mutex);
    }
    return code;
}

void ab_gate_free(ab_gate *gate)
{
    pthread_cond_destroy(&own_of(gate)->changed);
    pthread_mutex_destroy(&own_of(gate)->mutex);
}

void ab_gate_wait(ab_gate *gate, _Atomic uint32_t *word, uint32_t mask, uint32_t value)
{
    posix_gate *own = own_of(gate);

    pthread_mutex_lock(&own->mutex);
    while ((atomic_load(word) & mask) == value) {
        pthread_cond_wait(&own->changed, &own->mutex);
    }
    pthread_mutex_unlock(&own->mutex);
}

void ab_gate_wake(ab_gate *gate)
{
    posix_gate *own = own_of(gate);

    pthread_mutex_lock(&own->mutex);
    pthread_cond_broadcast(&own->changed);
    pthread_mutex_unlock(&own->mutex);
}
