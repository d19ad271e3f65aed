/* SPDX-License-Identifier: MIT
 *
 * Threads, and a barrier at which they start together. Waiting spins for a moment and then sleeps,
 * so that it is prompt where every thread has a CPU and harmless where they share one. Structs
 * belong to their callers and must not move while in use; nothing here allocates but what the
 * system's own threads take.
 */
#ifndef AB_OS_THREADS_H
#define AB_OS_THREADS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* What two threads write must lie this far apart: two cache lines of 64 bytes, since neighbours are
 * fetched in pairs, or one of 128. */
enum { AB_LINE_BYTES = 128 };

/* Tells the CPU that this is a spinning loop. */
#if defined(__x86_64__) || defined(__i386__)
#define AB_RELAX() __builtin_ia32_pause()
#elif defined(__aarch64__)
#define AB_RELAX() __asm__ volatile("yield" : : : "memory")
#else
#define AB_RELAX() __asm__ volatile("" : : : "memory")
#endif

typedef struct ab_thread {
    void (*body)(void *argument);
    void *argument;
    uintptr_t handle;
} ab_thread;

/* 0 or a positive OS error code. A thread that was started must be joined. */
int ab_thread_start(ab_thread *thread, void (*body)(void *argument), void *argument);
void ab_thread_join(ab_thread *thread);
/* Lets another thread have this CPU. */
void ab_thread_yield(void);

/* A place to sleep in until a word changes; the platform's own. */
typedef struct ab_gate {
    union {
        uint64_t align;
        void *pointer;
        unsigned char bytes[192];
    } own;
} ab_gate;
/* 0 or a positive OS error code. */
int ab_gate_init(ab_gate *gate);
void ab_gate_free(ab_gate *gate);
/* Sleeps while (*word & mask) == value. */
void ab_gate_wait(ab_gate *gate, _Atomic uint32_t *word, uint32_t mask, uint32_t value);
/* Makes all sleepers look at their words again. */
void ab_gate_wake(ab_gate *gate);

enum { AB_BARRIER_MEMBERS_MAX = 256 };

/* Members wait for each other. The last one to arrive is told so and opens the barrier when it has
 * done what must happen before anybody goes on. */
typedef struct ab_barrier {
    _Alignas(AB_LINE_BYTES) _Atomic uint32_t word; /* generation, members, arrived */
    _Alignas(AB_LINE_BYTES) _Atomic uint32_t sleepers;
    unsigned spins;
    ab_gate gate;
} ab_barrier;

/* `spins` looks before a member sleeps: 0 where members share CPUs. 0 or a positive OS error code.
 */
int ab_barrier_init(ab_barrier *barrier, unsigned members, unsigned spins);
void ab_barrier_free(ab_barrier *barrier);
/* Sets the number of members anew; nobody may be inside. */
void ab_barrier_set(ab_barrier *barrier, unsigned members);
unsigned ab_barrier_members(ab_barrier *barrier);
/* false: the barrier was opened meanwhile. true, for one member: all the others wait, until the
 * caller opens it. */
bool ab_barrier_arrive(ab_barrier *barrier);
/* This thread is no member any more. true: that made the wait of all the others complete, and the
 * caller is to open the barrier. */
bool ab_barrier_leave(ab_barrier *barrier);
void ab_barrier_open(ab_barrier *barrier);

#endif
