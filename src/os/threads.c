/* SPDX-License-Identifier: MIT
 *
 * The barrier: see threads.h. All of its state is one word, so that whoever arrives or leaves sees
 * at once whether the others are complete. Sleepers are counted apart: the one who opens the
 * barrier makes a system call only if there are any.
 */
#include "threads.h"

enum { COUNT_BITS = 9 };
#define ONE_ARRIVED UINT32_C(1)
#define ONE_MEMBER (UINT32_C(1) << COUNT_BITS)
#define ONE_GENERATION (UINT32_C(1) << 2 * COUNT_BITS)
#define COUNT_MASK (ONE_MEMBER - 1)
#define GENERATION_MASK (~(ONE_GENERATION - 1))

_Static_assert(AB_BARRIER_MEMBERS_MAX < 1 << COUNT_BITS, "the members' number fits");

static uint32_t arrived(uint32_t word)
{
    return word & COUNT_MASK;
}

static uint32_t members(uint32_t word)
{
    return word >> COUNT_BITS & COUNT_MASK;
}

int ab_barrier_init(ab_barrier *barrier, unsigned count, unsigned spins)
{
    atomic_init(&barrier->word, count * ONE_MEMBER);
    atomic_init(&barrier->sleepers, 0);
    barrier->spins = spins;
    return ab_gate_init(&barrier->gate);
}

void ab_barrier_free(ab_barrier *barrier)
{
    ab_gate_free(&barrier->gate);
}

void ab_barrier_set(ab_barrier *barrier, unsigned count)
{
    uint32_t generation = atomic_load(&barrier->word) & GENERATION_MASK;

    atomic_store(&barrier->word, generation | count * ONE_MEMBER);
}

unsigned ab_barrier_members(ab_barrier *barrier)
{
    return members(atomic_load(&barrier->word));
}

static void wait_for_next(ab_barrier *barrier, uint32_t generation)
{
    for (unsigned i = 0; i < barrier->spins; i++) {
        uint32_t word = atomic_load_explicit(&barrier->word, memory_order_acquire);
        if ((word & GENERATION_MASK) != generation) {
            return;
        }
        AB_RELAX();
    }
    /* Counted before the word is looked at again, as the opener changes the word before it looks
     * for sleepers: one of the two sees the other. */
    atomic_fetch_add(&barrier->sleepers, 1);
    ab_gate_wait(&barrier->gate, &barrier->word, GENERATION_MASK, generation);
    atomic_fetch_sub(&barrier->sleepers, 1);
}

bool ab_barrier_arrive(ab_barrier *barrier)
{
    uint32_t before = atomic_fetch_add(&barrier->word, ONE_ARRIVED);

    if (arrived(before) + 1 == members(before)) {
        return true;
    }
    wait_for_next(barrier, before & GENERATION_MASK);
    return false;
}

bool ab_barrier_leave(ab_barrier *barrier)
{
    uint32_t before = atomic_fetch_sub(&barrier->word, ONE_MEMBER);

    return arrived(before) > 0 && arrived(before) == members(before) - 1;
}

void ab_barrier_open(ab_barrier *barrier)
{
    uint32_t word = atomic_load(&barrier->word); /* all members wait, so nobody else changes it */

    atomic_store(&barrier->word, (word - arrived(word)) + ONE_GENERATION);
    if (atomic_load(&barrier->sleepers) > 0) {
        ab_gate_wake(&barrier->gate);
    }
}
